package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A command of a client.
 *
 * @param in its input, padded with zeros
 * @param sent bytes that the client sends
 * @param room bytes of room for the output
 */
record CmCall(CmSession session, View in, int sent, int room) {

  int get(Field field) {
    return in.getInt(field);
  }

  /** Does something with the id that a field names, under the lock. */
  <T> T with(Field id, Function<CmId, T> action) {
    return session.file().get(file -> action.apply(file.find(get(id))));
  }

  /** Does something with the id that a field names, under the lock. */
  void run(Field id, Consumer<CmId> action) {
    session.file().locked(file -> action.accept(file.find(get(id))));
  }

  /** Throws when the client's room is smaller than the output. */
  void requireRoom(int bytes) {
    Refusal.require(
        room >= bytes, Errno.ENOSPC, "the client has room for %d bytes, not %d", room, bytes);
  }

  /** Writes output to the address in a field, truncated to the client's room. */
  void reply(Field response, View output) {
    reply(response, output.bytes());
  }

  /** Like {@link #reply(Field, View)}. */
  void reply(Field response, byte[] output) {
    session.memory().write(in.get(response), Arrays.copyOf(output, Math.min(room, output.length)));
  }
}
