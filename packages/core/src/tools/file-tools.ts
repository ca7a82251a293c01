import { AppError } from '../errors.ts'
import { server } from '../resources/index.ts'
import { recordOf } from './choosing.ts'
import { type Json, objectOf, type Tool } from './tool.ts'

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const
const flag = { type: 'boolean' } as const
const encoding = { enum: ['utf8', 'base64'], type: 'string' } as const
const mode = { type: 'string', description: 'octal, such as 0644' } as const
const place = { server_id: whole, path: text } as const
const seconds = { type: 'integer', minimum: 30, maximum: 600 } as const
const reading = { audience: 'user', isReading: true, isFinal: false } as const
const writing = { audience: 'user', isReading: false, isFinal: true } as const

const callTo =
  (path: string, fixed: Json = {}): Tool['call'] =>
  async (caller, given) => {
    const row = await recordOf(caller, server, given.server_id)
    const answer = await caller.client.send({ method: 'POST', path, body: { ...given, ...fixed, server_id: row.id } })
    if (typeof answer !== 'object' || answer === null) throw new AppError('badAnswer')
    return answer as Json
  }

const list: Tool = {
  ...{ name: 'fs.list', description: 'Lists a folder on a server, at most 5000 entries.' },
  ...{ scope: 'nezha:server:read', ...reading },
  inputSchema: objectOf({ ...place, path: { ...text, description: 'absolute' }, show_hidden: flag }, [
    'server_id',
    'path',
  ]),
  outputSchema: objectOf(
    {
      entries: {
        type: 'array',
        items: objectOf(
          { name: text, type: text, size: whole, mode: text, mtime: whole, is_symlink: flag, link_target: text },
          ['name', 'type', 'size', 'mode', 'mtime'],
        ),
      },
      total: whole,
      truncated: flag,
    },
    ['entries'],
  ),
  async call(caller, given) {
    const answer = await callTo('file/details', { show_hidden: given.show_hidden === true })(caller, given)
    const { entries, total, truncated } = answer
    return { entries, ...(total !== undefined && { total }), ...(truncated !== undefined && { truncated }) }
  },
}

const read: Tool = {
  ...{ name: 'fs.read', description: 'Reads part of a file, at most 1 MiB at a time; size is that of the part.' },
  ...{ scope: 'nezha:server:read', ...reading },
  inputSchema: objectOf(
    { ...place, offset: { type: 'integer', minimum: 0 }, length: { type: 'integer', minimum: 1 }, encoding },
    ['server_id', 'path'],
  ),
  outputSchema: objectOf({ content: text, encoding: text, size: whole, sha256: text, truncated: flag }, [
    'content',
    'encoding',
    'size',
  ]),
  call: (caller, given) => callTo('file/read', { encoding: given.encoding ?? 'utf8' })(caller, given),
}

const write: Tool = {
  ...{ name: 'fs.write', description: 'Writes a small file in one step. For larger files, use fs.upload_url.' },
  ...{ scope: 'nezha:server:write', ...writing },
  inputSchema: objectOf({ ...place, content: text, encoding, mode, create_dirs: flag, if_match_sha256: text }, [
    'server_id',
    'path',
    'content',
  ]),
  outputSchema: objectOf({ size: whole, sha256: text }, ['size', 'sha256']),
  call: (caller, given) => callTo('file/write', { encoding: given.encoding ?? 'utf8' })(caller, given),
}

const remove: Tool = {
  ...{ name: 'fs.delete', description: 'Deletes a file immediately, or with recursive a folder and everything in it.' },
  ...{ scope: 'nezha:server:delete', ...writing },
  inputSchema: objectOf({ ...place, recursive: flag }, ['server_id', 'path']),
  outputSchema: objectOf({ deleted_count: whole }, ['deleted_count']),
  call: callTo('file/delete'),
}

const linked = objectOf({ url: text, method: text, expires_at: { type: 'string', format: 'date-time' } }, [
  'url',
  'method',
  'expires_at',
])

const downloadUrl: Tool = {
  ...{ name: 'fs.download_url', description: 'Creates a URL for one download of a file of at most 100 MiB.' },
  ...{ scope: 'nezha:server:read', ...reading },
  inputSchema: objectOf({ ...place, ttl_seconds: seconds }, ['server_id', 'path']),
  outputSchema: linked,
  call: callTo('file/link', { method: 'GET' }),
}

const uploadUrl: Tool = {
  ...{
    name: 'fs.upload_url',
    description: 'Creates a URL for one upload of at most 100 MiB, as the body of a POST.',
  },
  ...{ scope: 'nezha:server:write', ...writing },
  inputSchema: objectOf(
    {
      ...place,
      ...{ ttl_seconds: seconds, mode, create_dirs: flag },
      if_match_sha256: { ...text, description: 'overwrite only a file with this checksum' },
    },
    ['server_id', 'path'],
  ),
  outputSchema: linked,
  call: callTo('file/link', { method: 'POST' }),
}

/** Names and schemas: contract http-api 3.22. */
export const fileTools: readonly Tool[] = [read, uploadUrl, list, write, remove, downloadUrl]
