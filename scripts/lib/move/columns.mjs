// What the columns of a table of templates may be called.

/** Of each column, those of every provider's table and those of one provider's. */
export const titles = {
  all: {
    text: "text, message, body, content, متن, متن قالب, متن پیام, متن پیامک, متن الگو, متن پترن",
    title: "title, description, عنوان, توضیحات, شرح",
  },
  kavenegar: { name: "name, template, template name, slug, نام, قالب, نام قالب, نام الگو, نام پترن" },
  ippanel: {
    name: "code, pattern code, slug, کد, کد پترن, کد الگو",
    text: "pattern, pattern message, پترن",
    title: "name, pattern description, نام, نام پترن",
  },
  smsir: {
    name: "id, template id, code, slug, شناسه, شناسه قالب, شماره قالب, کد, کد قالب",
    title: "name, template name, نام, نام قالب",
  },
  twilio: { name: "sid, content sid, slug", text: "twilio/text", title: "name, friendly name" },
};

/** The columns of a provider's table, each with its titles. */
export const columnsOf = (provider) =>
  Object.fromEntries(
    ["name", "text", "title"].map((column) => [
      column,
      [titles.all[column], titles[provider][column]].filter(Boolean).join(", "),
    ]),
  );
