import { observable } from '@legendapp/state'

/** State whose readers are drawn again after a change. Unlike Legend’s, its values stay as they are: screens, models, functions. */
export function createState<State extends object>(initial: State): State {
  const version$ = observable(0)
  return new Proxy(initial, {
    get(state, key) {
      version$.get()
      return Reflect.get(state, key)
    },
    set(state, key, value) {
      if (Object.is(Reflect.get(state, key), value)) return true
      Reflect.set(state, key, value)
      version$.set(version$.peek() + 1)
      return true
    },
  })
}

type Call = (...given: readonly unknown[]) => unknown

/** A model of core, whose readers are drawn again after a call of one of these members. */
export function observed<Model extends object>(model: Model, changing: readonly (keyof Model)[]): Model {
  const version$ = observable(0)
  const telling =
    (call: Call): Call =>
    (...given) => {
      const answer = call(...given)
      version$.set(version$.peek() + 1)
      return answer
    }
  return new Proxy(model, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (changing.includes(key as keyof Model)) return telling(member as Call)
      version$.get()
      return member
    },
  })
}
