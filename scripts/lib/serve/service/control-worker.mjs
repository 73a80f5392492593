// What the command asks of Peyk's stores and of its worker. It listens on a socket that only the command may open.

const answers = {
  /** Runs statements in one transaction. Takes `[{sql, params}]`, gives the rows of each. */
  async sql(statements, { DB }) {
    const prepared = statements.map(({ sql, params = [] }) => DB.prepare(sql).bind(...params));
    return (await DB.batch(prepared)).map(({ results }) => results);
  },
  /** The value of an entry of this name, or `null`. */
  getKey: ({ name }, { KEYS }) => KEYS.get(name),
  async putKey({ name, value }, { KEYS }) {
    await KEYS.put(name, value);
    return null;
  },
  async deleteKey({ name }, { KEYS }) {
    await KEYS.delete(name);
    return null;
  },
  /** Calls the worker as Cloudflare's cron does. Gives how it has ended: `ok`, or another word. */
  scheduled: async ({ cron, time }, { PEYK }) =>
    (await PEYK.scheduled({ cron, scheduledTime: new Date(time) })).outcome,
};

export default {
  async fetch(request, env) {
    const answer = answers[new URL(request.url).pathname.slice(1)];
    try {
      return Response.json(await answer(await request.json(), env));
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};
