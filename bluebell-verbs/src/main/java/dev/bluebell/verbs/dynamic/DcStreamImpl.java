package dev.bluebell.verbs.dynamic;

import dev.bluebell.verbs.DcStream;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.StreamModifiers;
import dev.bluebell.verbs.StreamOperations;

/** Implements {@link DcStream}. */
public final class DcStreamImpl implements DcStream {
  private final DcStreamInitiatorImpl initiator;
  private final int number;

  public DcStreamImpl(DcStreamInitiatorImpl initiator, int number) {
    this.initiator = initiator;
    this.number = number;
  }

  @Override
  public StreamOperations target(DcTargetAddress target) {
    return initiator.start((DcTargetAddressImpl) target, number);
  }

  @Override
  public StreamModifiers copyMemory(long from, int fromKey, long to, int toKey, int length) {
    return initiator.copyMemory(number, from, fromKey, to, toKey, length);
  }

  @Override
  public void reset() {
    initiator.resetStream(number);
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public String toString() {
    return "stream %d of %s".formatted(number, initiator);
  }
}
