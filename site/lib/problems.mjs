// The pages of problems: one for each error of the service, at the address that its `type` names.
import { codeBlock, escaped, inline, json, unsearched } from "./html.mjs";
import { localized } from "./paths.mjs";
import { texts } from "./texts.mjs";

/** The pages in this language: the first is the list. `advice` has what people should know of each error, by slug. */
export function problemPages(problems, advice, language) {
  return [
    list(problems, language),
    ...problems.map((problem) => page(problem, advice[problem.slug]?.[language], language)),
  ];
}

/** The members in the order in which the service writes them. */
const order = "type title status statusCode code name detail instance extra errors meta".split(" ");
const inOrder = (example) => Object.fromEntries(order.map((name) => [name, example[name]]));

const addressOf = ({ slug }) => `/docs/problems/${slug}`;

function list(problems, language) {
  const text = texts[language];
  const row = (problem) =>
    `<tr><td>${problem.code}</td><td>${problem.status}</td><td><a href="${localized(addressOf(problem), language)}">${escaped(problem.title[language])}</a><small><code>${problem.name}</code></small></td></tr>`;
  const head = [text.code, text.status, text.title].map((cell) => `<th>${cell}</th>`).join("");
  const html = `<p class="lead">${text.problemsLead} <a href="${localized("/docs/guides/errors", language)}">${text.aboutErrors}</a></p>
<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${problems
    .toSorted((one, other) => one.code - other.code)
    .map(row)
    .join("")}</tbody></table></div>`;
  return { address: "/docs/problems", title: text.problems, about: text.problemsLead, html };
}

function page(problem, advice, language) {
  const text = texts[language];
  const { slug, code, status, name, title, details } = problem;
  const said = [...new Set(details.map((detail) => detail[language]))].map((detail) => `<li>${inline(detail)}</li>`);
  const parts = [
    `<dl class="facts"><div><dt>${text.code}</dt><dd>${code}</dd></div><div><dt>${text.status}</dt><dd>${status}</dd></div><div><dt>${text.nameColumn}</dt><dd><code>${name}</code></dd></div></dl>`,
    ...(advice
      ? [
          `<h2>${text.whatHappened}</h2><p>${inline(advice.happened)}</p><h2>${text.whatToDo}</h2>${steps(advice.steps)}`,
        ]
      : []),
    `<h2>${text.details}</h2><p>${inline(text.detailsLead)}</p><ul class="said">${said.join("")}</ul>`,
    `<h2>${text.example}</h2>${unsearched(codeBlock(json(inOrder(problem.example[language])), "json"))}`,
    `<p><a href="${localized("/docs/problems", language)}">${text.allProblems}</a> · <a href="${localized("/docs/guides/errors", language)}">${text.aboutErrors}</a></p>`,
  ];
  return {
    address: addressOf({ slug }),
    title: title[language],
    found: `${code} ${title[language]}`,
    about: advice?.happened ?? title[language],
    html: parts.join(""),
  };
}

const steps = (list) => `<ul>${list.map((step) => `<li>${inline(step)}</li>`).join("")}</ul>`;
