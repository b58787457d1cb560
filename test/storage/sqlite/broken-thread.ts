/** A thread with a bug: it does not get as far as to serve. */
throw new Error('a bug at the start')
