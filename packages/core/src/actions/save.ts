import { type AnyRow, type ApiPort, atRecord, type Call, type Resource, readRows } from '../define/index.ts'
import { AppError, defined } from '../errors.ts'
import { checkInput, checkRecord, missingSecrets } from '../fields/index.ts'
import { createEdits, type Edits } from './edits.ts'
import { readRecord } from './read.ts'
import { same } from './same.ts'

/** The capability of a server that accepts null for a secret. */
const clearCapability = 'clear-secrets'
/** The capability of a server that returns the saved record if asked. */
const rowCapability = 'prefer-record'

export interface SaveRequest {
  api: ApiPort
  resource: Resource
  mode: 'create' | 'edit' | 'duplicate'
  /** The record when the form was opened; null for a new one. */
  base: AnyRow | null
  input: Readonly<Record<string, unknown>>
  /** Default: edits without memory, for a program that saves once. */
  edits?: Edits
  supports(capability: string): boolean
  /** Asks for the saved record, for a program that shows it. */
  wantsRow?: true
  /** Confirms a provisional change by a further call, which proves that nobody is locked out. Otherwise the user confirms it. */
  keeps?: true
}

export interface Saved {
  id: number | null
  /** The saved record as it now is; null if unknown. */
  row: AnyRow | null
  /** Restores the former values, and returns the record as `row`; null if impossible. Errors: `conflict` if somebody changed the record since. */
  undo: (() => Promise<AnyRow | null>) | null
  /** A secret that only this response contains. */
  secret: { field: string; text: string } | null
}

/** Saves a form without overwriting anyone else’s change (see `Edits`). Errors: AppError; `invalid` with problems, `unsupported` if the server can’t clear a secret. */
export async function saveForm(request: SaveRequest): Promise<Saved> {
  const { api, resource, mode, base } = request
  const checked = checkRecord(resource, request.input, mode === 'edit' ? base : null)
  if (!checked.ok) throw new AppError('invalid', {}, { problems: checked.problems })
  const { input } = checked
  const missing = mode === 'edit' ? [] : missingSecrets(resource, input)
  if (missing.length > 0) throw new AppError('invalid', {}, { problems: missing })
  if (mode === 'edit' && clearsSecret(resource, input) && !request.supports(clearCapability))
    throw new AppError('unsupported', { capability: clearCapability })
  const { calls, encode } = resource.wire
  if (mode !== 'edit' || !base) {
    const { method, path } = calls.create
    return created(request, await api.send({ method, path, body: encode(input), ...preferred(request) }))
  }
  const saved = await edit(request, base, input)
  const { trial } = resource
  const keeps = request.keeps && trial && request.supports(trial.capability)
  if (keeps) await api.send(trial.call)
  // The response to the change still says that it is provisional.
  const row = keeps ? null : saved
  const former = formerInput(resource, base, input)
  const undo = former && (() => restore(request, { former, saved: input, id: base.id }))
  return { id: base.id, row, undo, secret: null }
}

const prefersRow = ({ wantsRow, supports }: SaveRequest) => wantsRow === true && supports(rowCapability)
const preferred = (request: SaveRequest) => (prefersRow(request) ? { prefersRecord: true as const } : {})

/** The record in a response. */
function savedRow(request: SaveRequest, answer: unknown): AnyRow | null {
  const isRow = prefersRow(request) && typeof answer === 'object' && answer !== null
  return isRow ? (readRows(request.resource, [answer]).rows[0] ?? null) : null
}

const clearsSecret = ({ fields }: Resource, input: Readonly<Record<string, unknown>>) =>
  Object.entries(input).some(([name, value]) => value === null && fields[name]?.kind === 'secret')

function created(request: SaveRequest, answer: unknown): Saved {
  const { reveals } = request.resource.wire.calls.create
  const row = reveals === undefined ? savedRow(request, answer) : null
  const { id, ...rest } = (typeof answer === 'object' && answer !== null ? answer : { id: answer }) as Record<
    string,
    unknown
  >
  const text = reveals === undefined ? undefined : rest[reveals]
  return {
    id: row?.id ?? (typeof id === 'number' ? id : null),
    row,
    undo: null,
    secret: typeof text === 'string' ? { field: defined(reveals), text } : null,
  }
}

async function edit(
  request: SaveRequest,
  base: AnyRow,
  input: Readonly<Record<string, unknown>>,
): Promise<AnyRow | null> {
  const { api, resource, edits, supports } = request
  const { calls, encode } = resource.wire
  const call: Call = {
    method: calls.edit.method,
    path: atRecord(calls.edit, base.id),
    body: encode({ ...input, ...storedSecrets(resource, base, input) }),
    ...preferred(request),
  }
  return savedRow(request, await (edits ?? createEdits({ api, supports })).send({ resource, call, base }))
}

/** A server that returns secrets treats an empty one as "none" rather than "unchanged", so send back its value (contract http-api 10, rows 26 and 30). */
function storedSecrets(
  { fields }: Resource,
  base: AnyRow,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isKept = (name: string) => fields[name]?.kind === 'secret' && input[name] === '' && Boolean(base[name])
  return Object.fromEntries(
    Object.keys(input)
      .filter(isKept)
      .map((name) => [name, base[name]]),
  )
}

/** Null if a secret was changed, which no response contains, or if the record isn’t valid input. */
function formerInput(
  resource: Resource,
  base: AnyRow,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const names = Object.keys(resource.input.shape)
  const changesSecret = names.some((name) => resource.fields[name]?.kind === 'secret' && input[name] !== '')
  const checked = checkInput(resource.input, Object.fromEntries(names.map((name) => [name, base[name]])))
  return changesSecret || !checked.ok ? null : { ...checked.input }
}

async function restore(
  request: SaveRequest,
  { former, saved, id }: { former: Record<string, unknown>; saved: Readonly<Record<string, unknown>>; id: number },
): Promise<AnyRow | null> {
  const { api, resource } = request
  const current = await readRecord(api, resource, id)
  const isOurs = Object.entries(saved).every(([name, value]) => same(current[name], value))
  if (!isOurs) throw new AppError('conflict', { resource: resource.name, id })
  return edit(request, current, former)
}
