// The colors of a page, in the page. The contrast of a text follows from its look: its color and size, and the grounds under it. Most
// texts of a page look like one of the page before, and axe takes a millisecond for each.
{
  const rules = ["color-contrast", "link-in-text-block"];
  const links = "a[href], [role=link]";
  const isBlock = (element) => !/^inline$|^contents$/.test(getComputedStyle(element).display);

  /** How elements look, for as long as they do not change. */
  function makeLooks() {
    const grounds = new Map();
    const ground = (element) => {
      if (!element) return "";
      if (!grounds.has(element)) grounds.set(element, ground(element.parentElement) + ownGround(element));
      return grounds.get(element);
    };
    // What is positioned may lie over something else than its parents, so its look has its kind too.
    const ownGround = (element) => {
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
      const place = ["absolute", "fixed", "sticky"].includes(position) ? `${element.tagName}.${element.className}` : "";
      const paint =
        backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none" ? "" : backgroundColor + backgroundImage;
      return opacity === "1" ? paint + place : `${paint}${place}*${opacity}`;
    };
    const look = (element) => {
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
      return [color, fontSize, fontWeight, textShadow, ground(element)].join("|");
    };
    return look;
  }

  /** How a link differs from the text around it. */
  function linkLook(link, block, look) {
    const style = (element) => {
      const { textDecoration, fontStyle, fontFamily, borderBottom, display } = getComputedStyle(element);
      return [look(element), textDecoration, fontStyle, fontFamily, borderBottom, display].join("|");
    };
    return `link ${link.className} ${style(link)} in ${style(block)}`;
  }

  const blockOf = (link) => {
    let block = link.parentElement;
    while (block.parentElement && !isBlock(block)) block = block.parentElement;
    return block;
  };

  /** Whether a block may have text beside its links. */
  function isInText(block) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (data.trim() && !parentElement.closest(links)) return true;
    }
    return false;
  }

  const hasText = (element) =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());

  /** Where an element stands, and what it says there. */
  function placeOf(element) {
    const path = [];
    for (let one = element; one; one = one.parentElement) path.push(`${one.tagName}.${one.className}`);
    return `${innerWidth} ${path} ${element.textContent}`;
  }

  /** So many texts of one look are judged at once: of some, axe can't say what is under them. */
  const MANY = 8;

  /** The texts and the links that are shown: each with its rule and the hash of its look. */
  function looks() {
    const look = makeLooks();
    const found = [];
    const add = (rule, element, own) => found.push({ rule, element, hash: hashOf(`${rule} ${own}`) });
    for (const element of document.body.querySelectorAll("*")) {
      if (!element.checkVisibility()) continue;
      if (hasText(element)) add("color-contrast", element, look(element));
      if (!element.matches(links) || isBlock(element)) continue;
      const block = blockOf(element);
      if (isInText(block)) add("link-in-text-block", element, linkLook(element, block, look));
    }
    return found;
  }

  /** Those of which neither the look is known nor the place where axe could not judge it. */
  function samplesOf(found, unknown, places) {
    const isUnknown = new Set(unknown);
    const isSeen = new Set(places);
    const times = new Map();
    return found.flatMap(({ rule, element, hash }) => {
      if (!isUnknown.has(hash) || (rule === "color-contrast" && times.get(hash) >= MANY)) return [];
      const place = hashOf(`${hash} ${placeOf(element)}`);
      if (isSeen.has(place)) return [];
      times.set(hash, (times.get(hash) ?? 0) + 1);
      return [{ rule, element, hash, place }];
    });
  }

  let shown;
  window.judgeColors = {
    /** The hashes of all looks. */
    find() {
      shown = looks();
      return [...new Set(shown.map(({ hash }) => hash))];
    },

    /**
     * Judges a few texts of each look that is not known, and all links whose look in their text is not. What axe can't judge leaves its
     * look unknown: only where it stands, it is not judged again.
     */
    async judge({ unknown, places }) {
      const samples = samplesOf(shown, unknown, places);
      if (samples.length === 0) return { judged: [], unclear: [], faults: [] };
      const { passes, violations } = await axe.run(
        { include: [...new Set(samples.map(({ element }) => element))] },
        { runOnly: { type: "rule", values: rules }, elementRef: true, preload: false },
      );
      const verdicts = Object.fromEntries(rules.map((rule) => [rule, new Set()]));
      for (const { id, nodes } of [...passes, ...violations])
        for (const { element } of nodes) verdicts[id].add(element);
      const isJudged = ({ rule, element }) => verdicts[rule].has(element);
      return {
        judged: samples.filter(isJudged).map(({ hash }) => hash),
        unclear: samples.filter((sample) => !isJudged(sample)).map(({ hash, place }) => [hash, place]),
        faults: violations.flatMap(({ nodes }) =>
          nodes.map(({ html, any }) => `${html.slice(0, 200)} (${any[0]?.message})`),
        ),
      };
    },
  };
}
