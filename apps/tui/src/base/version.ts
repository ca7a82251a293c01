import rootPackage from '../../../../package.json' with { type: 'json' }

export const version: string = rootPackage.version
