/** What tasks 8, 9 and 11 say. */
export interface StreamTask {
  streamId: string
}

/** Reads the JSON of a task that opens a stream; names match in any case. Errors: throws when there is no stream id. */
export const parseStreamTask = (data: string): StreamTask => {
  const fields: [string, unknown][] = Object.entries(JSON.parse(data))
  const streamId = fields.find(([name]) => name.toLowerCase() === 'streamid')?.[1]
  if (typeof streamId !== 'string') throw new Error('a task without a stream id')
  return { streamId }
}
