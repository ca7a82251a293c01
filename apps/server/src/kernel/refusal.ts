/** Why the server does not start, as one line for stderr; the program then ends with exit code 2. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
