import type { Schedule } from './schedule.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** A schedule without a match in this time never runs (contract engines 3.2). */
const horizonMs = 5 * 366 * dayMs

/**
 * The next `count` times after `from` in epoch ms, or fewer if there are no more. `timeZone` is the site’s; `since` is when an interval was
 * registered (default `from`). At a clock change, skipped wall times are left out and repeated ones run once, also for `*` fields; `@every` counts
 * elapsed time. Source: decisions.md "Cron grammar".
 */
export function nextRuns(
  schedule: Schedule,
  { from, count, timeZone, since = from }: { from: number; count: number; timeZone: string; since?: number },
): number[] {
  if (schedule.kind === 'interval') {
    // Also works if `since` is in the future, because the clock was ahead.
    const passed = Math.floor((from - since) / schedule.everyMs)
    return Array.from({ length: count }, (_, index) => since + (passed + 1 + index) * schedule.everyMs)
  }
  const times = calendarTimes(schedule, schedule.timeZone ?? timeZone)
  const runs: number[] = []
  while (runs.length < count) {
    const next = times.after(runs.at(-1) ?? from)
    if (next === null) break
    runs.push(next)
  }
  return runs
}

type Calendar = Extract<Schedule, { kind: 'calendar' }>

/** Remembers the last result, because lists ask for it repeatedly. */
interface CalendarTimes {
  after(time: number): number | null
}

const remembered = new Map<string, CalendarTimes>()

function calendarTimes(schedule: Calendar, zone: string): CalendarTimes {
  const key = `${zone} ${schedule.eitherDay} ${Object.values(schedule.times).join(' ')}`
  const times = remembered.get(key) ?? createTimes(schedule, zone)
  if (remembered.size >= 1000) remembered.clear()
  remembered.set(key, times)
  return times
}

function createTimes(schedule: Calendar, zone: string): CalendarTimes {
  const wall = wallClock(zone)
  const search = (time: number): number | null => {
    const until = wall(time) + horizonMs
    for (let local = nextWallTime(schedule, wall(time), until); local !== null; ) {
      const next = instantOf(local, wall)
      // A repeated wall time may already have passed.
      if (next !== null && next > time) return next
      local = nextWallTime(schedule, local, until)
    }
    return null
  }
  let last: { from: number; next: number | null } = { from: Number.POSITIVE_INFINITY, next: null }
  return {
    after(time) {
      const known = time >= last.from && time < (last.next ?? last.from + hourMs)
      if (!known) last = { from: time, next: search(time) }
      return last.next
    },
  }
}

/** The first allowed wall-clock time after another, all as if that were UTC. */
function nextWallTime({ times, eitherDay }: Calendar, after: number, until: number): number | null {
  const from = after + 1000
  for (let day = from - (from % dayMs); day <= until; day += dayMs) {
    const date = new Date(day)
    const isDay = times.day.includes(date.getUTCDate())
    const isWeekday = times.weekday.includes(date.getUTCDay())
    if (!times.month.includes(date.getUTCMonth() + 1) || !(eitherDay ? isDay || isWeekday : isDay && isWeekday))
      continue
    for (const hour of times.hour) {
      const atHour = day + hour * hourMs
      if (atHour + hourMs <= from) continue
      for (const minute of times.minute) {
        const second = times.second.find((value) => atHour + minute * minuteMs + value * 1000 >= from)
        if (second !== undefined) return atHour + minute * minuteMs + second * 1000
      }
    }
  }
  return null
}

/** When clocks show this wall-clock time for the first time; null if they skip it. */
function instantOf(local: number, wall: (time: number) => number): number | null {
  // The offsets before and after a clock change that is less than a day away.
  for (const near of [local - dayMs, local + dayMs]) {
    const time = local - (wall(near) - near)
    if (wall(time) === local) return time
  }
  return null
}

/** Converts a time to wall-clock time in the zone, as if that were UTC. */
function wallClock(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
}
