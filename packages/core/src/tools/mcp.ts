import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { isCommand } from '../actions/index.ts'
import { allowed, type Viewer } from '../define/index.ts'
import { toAppError } from '../errors.ts'
import { problemSentence, type Translator } from '../i18n/index.ts'
import { resources } from '../resources/index.ts'
import { nearest } from '../targets/index.ts'
import { actionTool, sentenceOf } from './action-tools.ts'
import { recordTools } from './record-tools.ts'
import { contractTools } from './server-tools.ts'
import type { Json, Tool, ToolCaller } from './tool.ts'

export interface McpParts {
  readonly version: string
  readonly translator: Translator
  readonly tools: readonly Tool[]
  readonly viewer: Viewer
  /** A new caller for each call, so that no call sees records of an earlier one. */
  caller(): Promise<ToolCaller>
}

/** `code` is for programs. */
export function toolError(text: string, code?: string): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    isError: true,
    ...(code !== undefined && { _meta: { error_code: code } }),
  }
}

/** The caller connects a transport (contract http-api 3.22). */
export function createMcpServer(parts: McpParts): Server {
  const { version, tools, viewer } = parts
  const server = new Server({ name: 'quarterdeck', version }, { capabilities: { tools: { listChanged: false } } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsFor(viewer, tools).map(describe) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw protocolError(ErrorCode.InvalidParams, `unknown tool: ${params.name.slice(0, 100)}`)
    return callTool(parts, tool, params.arguments ?? {})
  })
  server.fallbackRequestHandler = async ({ method }) => {
    throw protocolError(ErrorCode.MethodNotFound, `method not supported: ${method.slice(0, 100)}`)
  }
  return server
}

/** The library’s own error class would repeat the code in the message. */
const protocolError = (code: number, message: string) => Object.assign(new Error(message), { code })

/** The entry of a tool in `tools/list`. */
function describe({ name, description, inputSchema, outputSchema, isReading, isFinal, ...tool }: Tool) {
  const said = { name, description, inputSchema: { ...inputSchema, type: 'object' as const } }
  const output = outputSchema && { outputSchema: { ...outputSchema, type: 'object' as const } }
  if (contractTools.some((one) => one.name === name)) return { ...said, ...output }
  const annotations = { readOnlyHint: isReading, destructiveHint: isFinal }
  return { ...said, ...output, annotations, _meta: { scope: tool.scope } }
}

async function callTool({ translator, viewer, caller }: McpParts, tool: Tool, args: Json): Promise<CallToolResult> {
  if (!allowed(viewer, { ...tool, audience: 'guest' })) return toolError(`missing required scope: ${tool.scope}`)
  const unknown = unknownArgument(tool, args)
  if (unknown !== null) return toolError(`invalid arguments: ${unknown}`, 'invalid')
  const { valid, errorMessage } = new AjvJsonSchemaValidator().getValidator(tool.inputSchema as object)(args)
  if (!valid) return toolError(`invalid arguments: ${errorMessage}`, 'invalid')
  try {
    const answer = await tool.call(await caller(), args)
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } }
  } catch (thrown) {
    const error = toAppError(thrown)
    const problems = error.problems.map((problem) => `${problem.field}: ${problemSentence(translator, problem)}`)
    return toolError([sentenceOf(translator, error), ...problems].join('\n'), error.code)
  }
}

/** Names an unknown argument, with the nearest known one; null if there is none. */
function unknownArgument({ inputSchema }: Tool, args: Json): string | null {
  if (inputSchema.additionalProperties !== false) return null
  const known = Object.keys((inputSchema.properties ?? {}) as Json)
  const name = Object.keys(args).find((one) => !known.includes(one))
  if (name === undefined) return null
  const [near] = nearest(name, known)
  const next = near === undefined ? `available: ${known.join(', ')}` : `did you mean ${near}?`
  return `unknown property ${name.slice(0, 100)}; ${next}`
}

/** Null if it isn’t a JSON-RPC message. */
export function readMessage(value: unknown): JSONRPCMessage | null {
  const read = JSONRPCMessageSchema.safeParse(value)
  return read.success ? read.data : null
}

/** Returns the response; null for a notification. */
export async function exchange(server: Server, message: JSONRPCMessage): Promise<JSONRPCMessage | null> {
  let answer: (answer: JSONRPCMessage) => void = () => {}
  const answered = new Promise<JSONRPCMessage>((resolve) => {
    answer = resolve
  })
  const transport: Transport = { start: async () => {}, send: async (sent) => answer(sent), close: async () => {} }
  await server.connect(transport)
  try {
    transport.onmessage?.(message)
    return 'method' in message && 'id' in message ? await answered : null
  } finally {
    await server.close()
  }
}

/** The contract’s tools, then records and actions of each entity, except what requires a signed-in person (API tokens, sessions, providers, the own account) or a screen. */
export function allTools(translator: Translator): readonly Tool[] {
  const made = resources
    .filter(({ needsSession }) => !needsSession)
    .flatMap((resource) => [
      ...recordTools(resource, translator),
      ...Object.values(resource.actions)
        .filter((action) => action.name === 'delete' || (isCommand(action) && !action.opens))
        .map((action) => actionTool(resource, action, translator)),
    ])
  const names = new Set(contractTools.map(({ name }) => name))
  return [...contractTools, ...made.filter(({ name }) => !names.has(name))]
}

/** The contract’s tools, and others that the viewer may use. */
export function toolsFor(viewer: Viewer, tools: readonly Tool[]): readonly Tool[] {
  return tools.filter((tool) => contractTools.includes(tool) || allowed(viewer, tool))
}
