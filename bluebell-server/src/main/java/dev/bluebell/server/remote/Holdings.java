package dev.bluebell.server.remote;

import dev.bluebell.server.ClientUid;
import dev.bluebell.server.WatchedProcess;
import java.io.IOException;

/**
 * What a client holds: first it belongs to the session, and to a resident after {@link
 * dev.bluebell.hca.Hca#handOver}. Frees each part at the end, even if another part fails.
 *
 * @param process of the client
 * @param diagnosis of the objects
 */
record Holdings(
    WatchedProcess process,
    ClientUid uid,
    OwnObjects objects,
    SharedRegions regions,
    OwnDiagnosis diagnosis)
    implements AutoCloseable {

  @Override
  public void close() throws IOException {
    // Closed in the reverse order.
    try (uid;
        regions;
        objects;
        diagnosis) {}
  }
}
