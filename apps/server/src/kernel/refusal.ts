/** Why the server doesn't start: one line on stderr, exit code 2. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** Why a command that had begun its work gave up: one line on stderr, exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure'
}
