/** Why the server doesn't start: one line on stderr, exit code 2. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
