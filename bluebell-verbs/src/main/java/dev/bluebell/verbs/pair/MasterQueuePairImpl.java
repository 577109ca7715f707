package dev.bluebell.verbs.pair;

import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.command.ConnectionSettings;
import java.lang.foreign.MemorySegment;

/** Implements {@link MasterQueuePair}. */
public final class MasterQueuePairImpl extends CrossChannelQueuePairImpl
    implements MasterQueuePair {
  /** Makes the queue pair of its parts and moves it to INIT. */
  public MasterQueuePairImpl(QueuePairParts parts, ConnectionSettings settings, CopyReport report) {
    super(parts, settings, report);
  }

  @Override
  public synchronized void install(MemorySegment image, int posted) {
    sends().install(image, posted);
  }

  @Override
  public void ringDoorbell() {
    if (send.isKept()) {
      throw new IllegalStateException(
          "%s holds a program, whose doorbell was rung when it was installed: reset it first"
              .formatted(this));
    }
    super.ringDoorbell();
  }
}
