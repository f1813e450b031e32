// How long tests wait for a state, in ms. It is long, since the machine may be busy, and a state that comes costs no waiting.
// SINEW_TEST_PATIENCE multiplies it.
export const patience = 60_000 * Number(process.env["SINEW_TEST_PATIENCE"] ?? 1);
