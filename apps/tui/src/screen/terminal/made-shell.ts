import type { Client } from '@qd/core/api'
import { server } from '@qd/core/resources'

/** Asks for a shell while a password can still be asked for, because later every key is the shell's. The session's own first call is answered with it. Errors: AppError. */
export async function withShellMade(client: Client, id: number): Promise<Client> {
  const { path, body } = server.actions.shell!.wire!
  let made = await client.send({ method: 'POST', path, body: body?.([{ id }], {}) })
  return {
    ...client,
    async send(sent) {
      const answer = made
      made = null
      return answer ?? client.send(sent)
    },
  }
}
