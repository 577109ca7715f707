package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.ManagedQueuePair;
import dev.bluebell.verbs.command.ConnectionSettings;
import java.lang.foreign.MemorySegment;

/** Implements {@link ManagedQueuePair}. */
public final class ManagedQueuePairImpl extends CrossChannelQueuePairImpl
    implements ManagedQueuePair {
  /** Makes the queue pair of its parts and moves it to INIT. */
  public ManagedQueuePairImpl(
      QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings, report);
  }

  @Override
  public void ringDoorbell() {
    sends().ringManaged();
  }

  @Override
  public int nextWqebb() {
    return sends().producerIndex();
  }

  @Override
  public synchronized void install(MemorySegment image) {
    sends().install(image);
  }

  @Override
  public synchronized void keep() {
    sends().keep();
  }
}
