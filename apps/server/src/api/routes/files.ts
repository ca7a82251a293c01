import { argumentsOf, demand } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { checkInput } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import type { FileAbility } from '@qd/protocol/files'
import * as z from 'zod'
import type { StepUp } from '../../access/step-up.ts'
import { abilitiesOf, createAgentFiles } from '../../act/operations/agent-files.ts'
import { toOutcome } from '../../act/runs/outcome.ts'
import type { RolloutPlan } from '../../act/runs/rollout.ts'
import type { RunOrder } from '../../act/runs/run-types.ts'
import type { Base } from '../../base.ts'
import { cleanOutput } from '../../fleet/agents/clean-text.ts'
import { isOurs } from '../../fleet/agents/hub.ts'
import type { Uploaded } from '../../fleet/streams/file-watch.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { unlessFull } from '../../store/db/storage.ts'
import { readIds } from '../../store/records/input.ts'
import { fileScope, fileScopes, ownServer } from '../../store/records/rights.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import type { Container } from '../container.ts'
import { dataText, envelope, ok } from '../http/answer.ts'
import { type HttpContext, readBody } from '../http/request.ts'
import type { FileLinks } from './file-links.ts'
import type { Routes } from './openapi.ts'

/** A negative `offset` counts from the end. */
interface FileBody {
  server_id?: unknown
  path?: unknown
  offset?: unknown
  length?: unknown
  recursive?: unknown
  encoding?: unknown
  show_hidden?: unknown
  content?: unknown
  mode?: unknown
  if_match_sha256?: unknown
  create_dirs?: unknown
  ttl_seconds?: unknown
  method?: unknown
}

const tag = 'server'
const place = { server_id: z.int(), path: z.string() }
const put = z.object({ mode: z.string(), create_dirs: z.boolean(), if_match_sha256: z.string() }).partial().shape

/** As for any MCP message (contract http-api 3.22). */
const maxWriteBody = 8 * 1024 * 1024

/** File calls, all POST; another user's server counts as unknown (contract http-api 3.8, 11, docs/reference/files.md). */
export function createFileRoutes(
  base: Base,
  parts: Pick<Container, 'agents' | 'live' | 'streams' | 'questions' | 'runs'> & { stepUp: StepUp; links: FileLinks },
) {
  const { servers, audit } = base
  const { agents, live, streams, runs, stepUp, links } = parts
  const files = createAgentFiles(parts.questions)

  function enter(
    context: HttpContext,
    id: number,
    scopes: readonly string[],
  ): { caller: Caller; row: ServerRow; version: string } {
    const caller = context.get('caller')
    for (const needed of scopes) demand(caller.viewer, { audience: 'user', scope: needed })
    const row = ownServer(servers, caller.viewer, id)
    if (!row) {
      audit.record({ caller, action: 'file open', target: String(id), result: 'refused' })
      throw new AppError('notFound', { resource: 'server', id, text: texts.notConnected })
    }
    stepUp.demand(caller)
    if (!agents.connected(id)) throw new AppError('blocked', { reason: 'notConnected', text: texts.notConnected })
    return { caller, row, version: live.hostOf(id).version ?? '' }
  }
  /** A call about one path. `noted`: recorded in the audit log. */
  function onPath(
    {
      ability,
      verb = ability,
      scope,
      body: more = {},
      noted,
      ...about
    }: {
      ability: FileAbility
      verb?: string
      scope: string
      summary: string
      body?: z.ZodRawShape
      data: z.ZodType
      noted?: true
    },
    work: (order: { caller: Caller; id: number; path: string; body: FileBody; version: string }) => Promise<unknown>,
  ) {
    return {
      about: { ...about, id: `file.${verb}`, tag, scope, body: z.object({ ...place, ...more }) },
      async answer(context: HttpContext): Promise<Response> {
        const body = ((await readBody(context, maxWriteBody)) ?? {}) as FileBody
        const { caller, row, version } = enter(context, readId(body.server_id), [scope])
        if (!abilitiesOf(version).includes(ability))
          throw new AppError('unsupported', { ability, text: texts.agentCannot })
        const path = readPath(body.path)
        const answer = await work({ caller, id: row.id, path, body, version })
        if (noted) {
          audit.record({ caller, action: `file ${verb}`, target: `${row.id} ${path}`, names: row.name, result: 'ok' })
          // It is done, and may be what frees the disk.
          await unlessFull(audit.stored())
        }
        return ok(envelope(dataText(answer)))
      },
    }
  }

  function carry(caller: Caller, serverId: number, runId: number) {
    const report = runs.carry(runId, serverId, caller.viewer.id!)
    if (!report) throw new AppError('blocked', { reason: 'notItsTurn', text: texts.notItsTurn })
    return (outcome: Uploaded | null) => report(outcome && outcomeOf(outcome))
  }
  return {
    /** A run of one file; `/file?id=N&run=M` sends each part in its turn (docs/reference/files.md). */
    '/file/run': {
      about: {
        id: 'file.run',
        tag,
        summary: 'Start a run that uploads one file to many servers',
        scope: fileScopes,
        body: z.object({
          servers: z.array(z.int()),
          name: z.string(),
          path: z.string(),
          canary: z.int(),
          batch: z.int(),
          soak: z.int().optional(),
          max_failures: z.int(),
        }),
        data: z.object({ run_id: z.int() }),
      },
      async answer(context: HttpContext) {
        const { servers: named, name, path, ...plan } = ((await readBody(context)) ?? {}) as Record<string, unknown>
        const caller = context.get('caller')
        for (const needed of fileScopes) demand(caller.viewer, { audience: 'user', scope: needed })
        const ids = [...new Set(readIds(named))]
        const unknown = ids.find((id) => !ownServer(servers, caller.viewer, id))
        if (ids.length === 0) throw invalid('servers', 'required')
        if (unknown !== undefined) throw new AppError('notFound', { resource: 'server', id: unknown })
        stepUp.demand(caller)
        const checked = checkInput(argumentsOf(server, 'force-update').input, plan)
        if (!checked.ok) throw new AppError('invalid', {}, { problems: checked.problems })
        const target = cleanOutput(readPath(path))
        const order: RunOrder = {
          ownerId: caller.viewer.id!,
          by: caller.viewer.username,
          targets: { mode: 'only', servers: ids },
          kind: 'file',
          name: cleanOutput(readText(name, 'name')),
          command: target,
          rollout: checked.input as RolloutPlan,
        }
        const { runId } = await runs.start(order, (db, run) =>
          audit.write(db, { caller, action: 'file run', target: `${run} ${target}`, result: 'ok' }),
        )
        return ok(envelope(dataText({ run_id: runId })))
      },
    },
    '/file': {
      about: {
        id: 'file.open',
        tag,
        summary: 'Open a file stream on a server, with the abilities of its agent',
        scope: fileScopes,
        query: ['id'],
        data: z.object({ session_id: z.string(), abilities: z.array(z.string()) }),
      },
      async answer(context: HttpContext) {
        const id = readId(Number(context.req.query('id') || Number.NaN))
        const run = context.req.query('run')
        const { caller, row, version } = enter(context, id, fileScopes)
        const uploaded = run === undefined ? undefined : carry(caller, row.id, readId(Number(run)))
        try {
          const session_id = streams.create({
            caller,
            serverId: row.id,
            purpose: 'file',
            ...(uploaded && { uploaded }),
          })
          return ok(envelope(dataText({ session_id, abilities: abilitiesOf(version) })))
        } catch (thrown) {
          uploaded?.(null)
          throw thrown
        }
      },
    },
    '/file/details': onPath(
      { ability: 'details', scope: fileScope.read, summary: 'List a folder, with sizes and times', data: z.object() },
      ({ id, path, body }) => files.details(id, path, body.show_hidden === false),
    ),
    '/file/read': onPath(
      {
        ability: 'read',
        scope: fileScope.read,
        noted: true,
        summary: 'Read part of a file, at most 1 MiB, as base64',
        body: { offset: z.int().optional(), length: z.int().optional() },
        data: z.object(),
      },
      ({ id, path, body: { offset, length, encoding } }) =>
        files.read(id, path, {
          offset: readCount(offset),
          length: readCount(length),
          encoding: readEncoding(encoding),
        }),
    ),
    '/file/write': onPath(
      {
        ability: 'details',
        verb: 'write',
        scope: fileScope.write,
        noted: true,
        summary: 'Write a small file in one step',
        body: { content: z.string(), encoding: z.enum(['utf8', 'base64']).optional(), ...put },
        data: z.object({ size: z.int(), sha256: z.string() }),
      },
      ({ id, path, body }) =>
        files.write(id, path, {
          content: readText(body.content, 'content'),
          encoding: readEncoding(body.encoding),
          ...readTarget(body),
        }),
    ),
    '/file/delete': onPath(
      {
        ability: 'delete',
        scope: fileScope.delete,
        noted: true,
        summary: 'Delete a file or a folder',
        body: { recursive: z.boolean().optional() },
        data: z.object({ deleted_count: z.int() }),
      },
      ({ id, path, body }) => files.remove(id, path, body.recursive === true),
    ),
    '/file/checksum': onPath(
      {
        ability: 'checksum',
        scope: fileScope.read,
        summary: 'The SHA-256 of a file',
        data: z.object({ sha256: z.string(), size: z.int() }),
      },
      ({ caller, id, path, version }) =>
        isOurs({ version }) ? files.checksum(id, path) : links.checksum(caller, id, path),
    ),
    '/file/link': {
      about: {
        id: 'file.link',
        tag,
        summary: 'Create a URL for one download (GET) or upload (POST) of at most 100 MiB',
        scope: fileScope.read,
        body: z.object({
          ...place,
          method: z.enum(['GET', 'POST']).optional(),
          ttl_seconds: z.int().optional(),
          ...put,
        }),
        data: z.object({ url: z.string(), method: z.string(), expires_at: z.string() }),
      },
      async answer(context: HttpContext) {
        const body = ((await readBody(context)) ?? {}) as FileBody
        const isUpload = body.method === 'POST'
        const { caller, row, version } = enter(context, readId(body.server_id), [
          isUpload ? fileScope.write : fileScope.read,
        ])
        if (!abilitiesOf(version).includes('details'))
          throw new AppError('unsupported', { ability: 'read', text: texts.agentCannot })
        const path = readPath(body.path)
        const seconds = body.ttl_seconds === undefined ? undefined : readCount(body.ttl_seconds)
        const order = { caller, serverId: row.id, path, isUpload, seconds, target: readTarget(body) }
        return ok(envelope(dataText(links.make(order, context.env.incoming))))
      },
    },
  } satisfies Routes
}

const readEncoding = (encoding: unknown) => (encoding === 'utf8' ? 'utf8' : 'base64')

const outcomeOf = (outcome: Uploaded) =>
  'error' in outcome
    ? toOutcome('failure', outcome.error)
    : toOutcome('success', [outcome.sha256, outcome.path].filter(Boolean).join('  '))

function readTarget({ mode, if_match_sha256, create_dirs }: FileBody) {
  return {
    ...(mode !== undefined && { mode: readText(mode, 'mode') }),
    ...(if_match_sha256 !== undefined && { if_match_sha256: readText(if_match_sha256, 'if_match_sha256') }),
    ...(create_dirs === true && { create_dirs }),
  }
}

function readText(text: unknown, field: string): string {
  if (typeof text === 'string') return text
  throw invalid(field, 'notText')
}

function readId(id: unknown): number {
  if (Number.isSafeInteger(id)) return id as number
  throw invalid('server_id', 'notId')
}

function readPath(path: unknown): string {
  if (typeof path !== 'string') throw invalid('path', 'notText')
  if (path === '') throw invalid('path', 'required')
  return path
}

function readCount(count: unknown = 0): number {
  if (Number.isSafeInteger(count)) return count as number
  throw invalid('offset', 'notInteger')
}

const invalid = (field: string, code: Problem['code']) => new AppError('invalid', {}, { problems: [{ field, code }] })
