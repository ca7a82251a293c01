import { createRecords } from '@qd/core/api'
import { allTools, createMcpServer, readMessage } from '@qd/core/tools'
import { jsonIn } from '../../base/output/json.ts'
import { version } from '../../base/version.ts'
import type { Cli } from '../commands/command.ts'

/** Source: JSON-RPC 2.0, section 5.1. */
const parseError = -32700
const invalidRequest = -32600

/** Model Context Protocol over stdio, a message a line, until its input ends. Never asks: stdin belongs to the client. */
export async function serveMcp(cli: Cli): Promise<number> {
  cli.stopAsking()
  const translator = await cli.texts()
  const connection = await cli.connect()
  const { client, now } = connection
  const [viewer, capabilities] = await Promise.all([connection.viewer(), client.capabilities()])
  const { io } = cli
  const open = new Set<unknown>()
  let closed: () => void = () => {}
  const write = (message: object) => io.stdout.write(`${JSON.stringify(message)}\n`)
  const server = createMcpServer({
    ...{ version, translator, viewer, tools: allTools(translator) },
    caller: async () => ({
      ...{ client, viewer, translator, now },
      token: viewer.token === undefined ? null : { id: null, name: viewer.token },
      records: createRecords({ connection, warn: async () => {} }),
      supports: (name) => capabilities.includes(name),
      pause: cli.pause,
    }),
  })
  const transport: Parameters<typeof server.connect>[0] = {
    start: async () => {},
    async send(message) {
      write(message)
      if ('id' in message && !('method' in message)) open.delete(message.id)
      if (open.size === 0) closed()
    },
    close: async () => {},
  }
  await server.connect(transport)
  for (;;) {
    const line = await io.stdin.readLine({ secret: false })
    if (line === null) break
    if (line.trim() === '') continue
    const message = jsonIn(line)
    const read = readMessage(message)
    if (read) {
      if ('method' in read && 'id' in read) open.add(read.id)
      transport.onmessage?.(read)
    } else if (message === undefined) write(refusal(parseError, 'this line is not JSON'))
    else write(refusal(invalidRequest, 'not a JSON-RPC 2.0 message'))
  }
  if (open.size > 0)
    await new Promise<void>((resolve) => {
      closed = resolve
    })
  await server.close()
  return 0
}

const refusal = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message } })
