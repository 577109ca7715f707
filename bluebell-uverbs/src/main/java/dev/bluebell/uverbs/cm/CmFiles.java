package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.HeldFile;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The open files of all clients, by the identity of their descriptors. Thread-safe. */
final class CmFiles {
  private final Map<Object, CmFile> byKey = new ConcurrentHashMap<>();

  void add(Object key, CmFile file) {
    byKey.put(key, file);
  }

  void remove(Object key) {
    byKey.remove(key);
  }

  /** The file that a client has open at a descriptor. */
  CmFile find(WatchedProcess process, int fd) {
    @Nullable CmFile found = null;
    try (HeldFile held = process.hold(fd)) {
      found = byKey.get(held.key());
    } catch (IOException e) {
      // The client has no such descriptor.
    }
    if (found == null) {
      throw new Refusal(
          Errno.EINVAL, "descriptor %d of the client is not an event channel".formatted(fd));
    }
    return found;
  }
}
