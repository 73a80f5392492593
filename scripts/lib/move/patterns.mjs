// Makes patterns of what a table has: what the service has already decides what is to be done.

/** A step for each pattern. It looks first, so a step that may be done already is never done twice. */
export async function patternSteps(service, patterns) {
  const listed = await service.all("/pattern");
  const known = new Set(listed.map(({ slug }) => slug));
  return patterns.map((pattern) => ({
    line: pattern.line,
    name: pattern.slug,
    look: () => look(service, known, pattern),
  }));
}

async function look(service, known, pattern) {
  const path = `/pattern/${pattern.slug}`;
  const found = known.has(pattern.slug) ? await service.ask("GET", path, { missing: true }) : null;
  if (!found)
    return { kind: "MADE", note: `would be made${variablesOf(pattern)}`, act: () => make(service, known, pattern) };
  const { versions } = found.data;
  const active = versions.find(({ status }) => status === "ACTIVE");
  if (active?.text === pattern.text) return { kind: "SAME", note: "is there with this text" };
  const own = versionWith(versions, pattern.text);
  const place = active ? ` in the place of version ${active.version}` : "";
  if (own?.status === "PENDING") return waits(own.version);
  if (own)
    return {
      kind: "ACTIVATED",
      note: `version ${own.version} has this text and would be activated${place}`,
      act: () => activate(service, path, own, "ACTIVATED"),
    };
  const next = Math.max(0, ...versions.map(({ version }) => version)) + 1;
  return {
    kind: "VERSION",
    note: `is there with another text: would get version ${next}${place}${variablesOf(pattern)}`,
    act: () => addVersion(service, path, pattern),
  };
}

/** The version that has the text. One that was active before can be activated without an approval. */
const versionWith = (versions, text) =>
  ["RETIRED", "DRAFT", "PENDING"]
    .map((status) => versions.find((version) => version.status === status && version.text === text))
    .find(Boolean);

async function make(service, known, { slug, title, text }) {
  // If the answer is lost, the next look must ask for it.
  known.add(slug);
  const { data, meta } = await service.ask("POST", "/pattern", { body: { slug, title, text } });
  return activate(service, `/pattern/${slug}`, data.versions[0], "MADE", meta.warnings);
}

async function addVersion(service, path, { text }) {
  const { data, meta } = await service.ask("POST", `${path}/versions`, { body: { text } });
  return activate(service, path, data, "VERSION", meta.warnings);
}

const done = { MADE: "made", VERSION: "made as version", ACTIVATED: "version" };

async function activate(service, path, { version, status }, kind, warnings = []) {
  const warned = warnings.map((warning) => `; ${warning}`).join("");
  const made = kind === "MADE" ? done[kind] : `${done[kind]} ${version}`;
  if (status === "PENDING") return { kind, waits: true, note: `${made}: waits for approval${warned}` };
  try {
    await service.ask("POST", `${path}/versions/${version}/activate`);
  } catch (error) {
    if (kind !== "ACTIVATED") error.before = `${made}, but not active`;
    throw error;
  }
  return { kind, note: `${made} and active${warned}` };
}

const waits = (version) => ({
  kind: "WAITS",
  waits: true,
  note: `version ${version} has this text and waits for approval`,
});

const variablesOf = ({ names }) =>
  names.length > 0 ? `, with ${names.map((name) => `%${name}%`).join(", ")}` : ", without a placeholder";
