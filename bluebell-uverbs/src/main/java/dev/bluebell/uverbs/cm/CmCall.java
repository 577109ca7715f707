package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.uverbs.call.Errno;
import dev.bluebell.uverbs.call.Refusal;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A command of a client.
 *
 * @param in its input, with zeros for what the client does not send
 * @param sent bytes that the client sends
 * @param room bytes that the client has room for
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

  /** Refuses a client that has less room than the output needs. */
  void requireRoom(int bytes) {
    Refusal.require(
        room >= bytes, Errno.ENOSPC, "the client has room for %d bytes, not %d", room, bytes);
  }

  /** Writes output to the address in a field, or as much of it as the client has room for. */
  void reply(Field response, View output) {
    reply(response, output.bytes());
  }

  /** As {@link #reply(Field, View)}. */
  void reply(Field response, byte[] output) {
    session.memory().write(in.get(response), Arrays.copyOf(output, Math.min(room, output.length)));
  }
}
