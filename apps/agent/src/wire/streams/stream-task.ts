/**
 * The stream id in the JSON of a task that opens a stream; its name matches in any case, and is another one in task 20.
 * Errors: throws when there is none. Source: agent contract 3.2.
 */
export const parseStreamTask = (data: string, name: 'streamid' | 'stream_id' | 'host' = 'streamid'): string => {
  const fields: [string, unknown][] = Object.entries(JSON.parse(data))
  const streamId = fields.find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof streamId !== 'string') throw new Error(`a task without ${name}`)
  return streamId
}
