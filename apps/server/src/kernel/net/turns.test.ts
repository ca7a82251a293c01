import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createTurns, maxWaiting } from './turns.ts'

const connection = () => {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    paused: false,
    isPaused: () => socket.paused,
    pause: () => void Object.assign(socket, { paused: true }),
    resume: () => void Object.assign(socket, { paused: false }),
  })
  return socket
}

const answer = () =>
  Object.assign(new EventEmitter(), { writableEnded: false, writableNeedDrain: false, setTimeout: () => {} })

function world() {
  const planned: (() => void)[] = []
  const begun: string[] = []
  const requests = new Map<string, EventEmitter & { readableFlowing: boolean; complete: boolean }>()
  const answers = new Map<string, ReturnType<typeof answer>>()
  const plan = (run: () => void) => planned.push(run)
  const turns = createTurns(plan, plan)
  return {
    begun,
    turn() {
      for (const run of planned.splice(0)) run()
    },
    ask(name: string, of: string, socket = connection()) {
      const response = answer()
      answers.set(name, response)
      const request = Object.assign(new EventEmitter(), { socket, readableFlowing: false, complete: true })
      requests.set(name, request)
      const parts = { request: request as unknown as IncomingMessage, response: response as unknown as ServerResponse }
      return turns.enter({ ...parts, of, begin: () => begun.push(name) })
    },
    request: (name: string) => requests.get(name)!,
    response: (name: string) => answers.get(name)!,
    answered: (name: string) => void answers.get(name)!.emit('close'),
  }
}

test('requests of one connection are begun one after the other, and it is not read from while many wait', () => {
  const { ask, begun, turn, answered } = world()
  const socket = connection()
  for (let index = 0; index < 20; index += 1) ask(`${index}`, 'a', socket)
  turn()
  expect(begun).toEqual(['0'])
  expect(socket.paused).toBe(true)
  for (let index = 0; index < 20; index += 1) {
    answered(`${index}`)
    turn()
  }
  expect(begun).toHaveLength(20)
  expect(socket.paused).toBe(false)
})

test('S-54 callers take turns, however much one of them asks', () => {
  const { ask, begun, turn } = world()
  for (let index = 0; index < 10; index += 1) ask(`a${index}`, 'a')
  ask('b', 'b')
  for (let index = 0; index < 3; index += 1) turn()
  expect(begun).toEqual(['a0', 'b', 'a1'])
})

test('a connection that is gone takes what it asked with it', () => {
  const { ask, begun, turn } = world()
  const socket = connection()
  for (const name of ['1', '2', '3']) ask(name, 'a', socket)
  turn()
  socket.destroyed = true
  socket.emit('close')
  for (let index = 0; index < 5; index += 1) turn()
  ask('other', 'a')
  turn()
  expect(begun).toEqual(['1', 'other'])
})

test('too many of one address are refused, those of another are not', () => {
  const { ask } = world()
  const socket = connection()
  const answers = Array.from({ length: maxWaiting.each + 1 }, (_, index) => ask(`${index}`, 'a', socket))
  expect(answers.lastIndexOf(true)).toBe(maxWaiting.each - 1)
  expect(ask('b', 'b')).toBe(true)
})

test('issue 37.3 only what the server works on takes a place', () => {
  const { ask, begun, turn, request, response } = world()
  const names = Array.from({ length: 32 }, (_, index) => `${index}`)
  for (const name of names) ask(name, 'a')
  for (let index = 0; index < 40; index += 1) turn()
  ask('more', 'a')
  turn()
  expect(begun).toEqual(names)
  const freeing = [
    () => Object.assign(request('0'), { readableFlowing: true, complete: false }),
    () => Object.assign(response('1'), { writableNeedDrain: true }),
    () => Object.assign(response('2'), { writableEnded: true }),
  ]
  for (const [index, free] of freeing.entries()) {
    free()
    turn()
    expect(begun.at(-1)).toBe(index === 0 ? 'more' : `next ${index - 1}`)
    ask(`next ${index}`, 'a')
    turn()
    expect(begun).toHaveLength(33 + index)
  }
})

test('issue 37.3 what others send ahead keeps no new connection out', () => {
  const { ask } = world()
  const socket = connection()
  for (let index = 0; index < maxWaiting.each; index += 1) ask(`${index}`, 'a', socket)
  expect(ask('ahead', 'a', socket)).toBe(false)
  expect(ask('another', 'a')).toBe(true)
})

test('issue 37.3 a request whose connection is gone by then takes no turn', () => {
  const { ask, begun, turn } = world()
  const gone = Object.assign(connection(), { destroyed: true })
  for (let index = 0; index <= maxWaiting.each; index += 1) expect(ask(`${index}`, 'a', gone)).toBe(true)
  ask('one', 'a')
  turn()
  expect(begun).toEqual(['one'])
})

test('S-54 whoever has nothing else under way may send ahead, however much others have sent', () => {
  const { ask } = world()
  for (const of of ['a', 'b']) {
    const socket = connection()
    for (let index = 0; index < maxWaiting.each; index += 1) expect(ask(`${of}${index}`, of, socket)).toBe(true)
  }
  const socket = connection()
  expect(ask('first', 'c', socket)).toBe(true)
  expect(ask('second', 'c', socket)).toBe(true)
})
