import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { bounds, createTurns } from './turns.ts'

/** A connection as far as turns look at it. */
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

function world() {
  const planned: (() => void)[] = []
  const begun: string[] = []
  const answers = new Map<string, EventEmitter>()
  const turns = createTurns((run) => planned.push(run))
  return {
    begun,
    turn() {
      for (const run of planned.splice(0)) run()
    },
    ask(name: string, address: string, socket = connection()) {
      const response = new EventEmitter()
      answers.set(name, response)
      const parts = { socket: socket as unknown as Socket, response: response as unknown as ServerResponse }
      return turns.enter({ ...parts, address, begin: () => begun.push(name) })
    },
    answered: (name: string) => void answers.get(name)!.emit('close'),
  }
}

test('a request is begun at once where nobody else waits', () => {
  const { ask, begun, turn } = world()
  ask('one', 'a')
  turn()
  ask('two', 'b')
  expect(begun).toEqual(['one', 'two'])
})

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

test('S-54 addresses take turns, however much one of them asks', () => {
  const { ask, begun, turn } = world()
  for (let index = 0; index < 10; index += 1) ask(`a${index}`, 'a')
  ask('b', 'b')
  turn()
  turn()
  expect(begun).toEqual(['a0', 'a1', 'b'])
})

test('a connection that is gone takes what it asked with it', () => {
  const { ask, begun, turn } = world()
  const socket = connection()
  for (const name of ['1', '2', '3']) ask(name, 'a', socket)
  socket.destroyed = true
  socket.emit('close')
  for (let index = 0; index < 5; index += 1) turn()
  ask('other', 'a')
  expect(begun).toEqual(['1', 'other'])
})

test('too many of one address are refused, those of another are not', () => {
  const { ask } = world()
  const socket = connection()
  const answers = Array.from({ length: bounds.ofAddress + 1 }, (_, index) => ask(`${index}`, 'a', socket))
  expect(answers.lastIndexOf(true)).toBe(bounds.ofAddress - 1)
  expect(ask('b', 'b')).toBe(true)
})
