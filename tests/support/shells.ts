import { IOStreamData } from '@qd/protocol/agent'
import { terminalProtocol } from '@qd/protocol/stream-close'
import type { Browser } from './browser.ts'
import type { CallEvent, PeerCall } from './peers/h2-peer.ts'
import type { SimulatedAgent } from './peers/simulated-agent.ts'
import { openStreamSocket, type StreamSocket, type StreamSocketOptions } from './peers/stream-socket.ts'
import type { World } from './world.ts'

/** An agent's end of a shell, played by the test. */
export interface ShellPeer {
  readonly call: PeerCall
  print(output: Uint8Array | string): void
  /** The same; resolves when the server has taken it. */
  printed(output: Uint8Array): Promise<void>
  /** The next bytes from the user, keepalives left out. */
  input(timeoutMs?: number): Promise<Buffer>
  /** The shell ends, as existing agents tell it: half-close, then a reset. */
  exit(): Promise<void>
  /** How the server ended the call. */
  ended(): Promise<CallEvent>
}

/** Both ends of a shell. */
export interface Shell {
  id: string
  socket: StreamSocket
  agent: ShellPeer
}

const encode = (data: Uint8Array) => IOStreamData.encode({ data }).finish()

/** The agent's end of a stream over a call that is attached. */
export function toShellPeer(call: PeerCall): ShellPeer {
  return {
    call,
    print: (output) => call.send(encode(typeof output === 'string' ? Buffer.from(output) : output)),
    printed: (output) => call.sendWhole(encode(output)),
    async input(timeoutMs) {
      for (;;) {
        const event = await call.take(({ event }) => event === 'message', timeoutMs)
        const bytes = event.event === 'message' ? IOStreamData.decode(event.bytes).data : Buffer.alloc(0)
        if (bytes.length > 0) return Buffer.from(bytes)
      }
    },
    async exit() {
      call.halfClose()
      // A reset throws away what Node has not written yet.
      await new Promise((resolve) => setImmediate(resolve))
      call.reset(8)
    },
    ended: () => call.take(({ event }) => event === 'trailers' || event === 'rst-stream'),
  }
}

/** Asks for a shell as a client does; returns its id. Errors: the answer's text. */
export async function askForShell(browser: Browser, serverId: number): Promise<string> {
  const answer = (await browser.api('POST', 'terminal', { server_id: serverId })) as { session_id: string }
  return answer.session_id
}

/** The agent's end of the shell of this id; what it was asked before is left unanswered. */
export async function attachAgent(agent: SimulatedAgent, id: string): Promise<ShellPeer> {
  for (;;) {
    const task = await agent.nextTask()
    if (task.data.includes(id)) return toShellPeer(agent.attach(task))
  }
}

/** Opens a shell with both ends there. `ours`: with our subprotocol. */
export async function openShell(
  world: World,
  parts: { browser: Browser; serverId: number; agent: SimulatedAgent; ours?: boolean } & Pick<
    StreamSocketOptions,
    'headers'
  >,
): Promise<Shell> {
  const { browser, serverId, agent, ours = false } = parts
  const id = await askForShell(browser, serverId)
  const peer = await attachAgent(agent, id)
  const socket = await openStreamSocket(world, id, { browser, protocols: ours ? [terminalProtocol] : [] })
  return { id, socket, agent: peer }
}
