// The least work that any service of this kind does: one call to an object with its own SQLite, one debit, one answer. Each
// key has an object of its own.
import { DurableObject } from "cloudflare:workers";

export class Account extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.sql.exec("CREATE TABLE IF NOT EXISTS wallet (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL) STRICT");
    this.sql.exec("INSERT OR IGNORE INTO wallet VALUES (1, 1000000000000000)");
  }

  fetch() {
    const { balance } = this.sql
      .exec("UPDATE wallet SET balance = balance - 1000 WHERE id = 1 RETURNING balance")
      .one();
    return Response.json({ balance });
  }
}

export default {
  async fetch(request, env) {
    await request.text();
    const account = env.ACCOUNT.get(env.ACCOUNT.idFromName(request.headers.get("authorization")));
    const { balance } = await (await account.fetch("http://account/")).json();
    return Response.json({ status: "CREATED", data: { balance } }, { status: 201 });
  },
};
