// Takes the place of @nats-io/nkeys in the built pages. They log in with a user and a password; keys and their signatures would be a
// fifth of the first script.

/** Refuses a login by key, as NATS would ask for with a seed. */
export function fromSeed(): never {
  throw new Error("log in to NATS: these pages have no keys; use a user and a password");
}
