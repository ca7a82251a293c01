/** What of `node:v8` this needs. */
export interface V8Settings {
  setFlagsFromString(flags: string): void
  getHeapSpaceStatistics(): readonly { readonly space_name: string; readonly space_size: number }[]
}

/** Both halves of V8's memory for what lives shortly. */
const wantedBytes = 8 * 2 ** 20
const everyMs = 1000

/**
 * Holds V8's memory for what lives shortly near 8 MB. V8 itself goes to 32, or down to 2 in a program that mostly waits. So little is
 * collected before the next frame: what is drawn once a second then counts as old, all of memory is collected every few seconds, and
 * with it goes the compiled code of functions that live shortly themselves (docs/traps.md). Stops nothing from ending.
 */
export function holdYoungMemory({ setFlagsFromString, getHeapSpaceStatistics }: V8Settings): void {
  const hold = () => {
    const young =
      getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? wantedBytes
    setFlagsFromString(`--semi-space-growth-factor=${young < wantedBytes ? 2 : 1}`)
  }
  hold()
  setInterval(hold, everyMs).unref()
}
