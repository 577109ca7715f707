package dev.bluebell.verbs.ring;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;

/**
 * The part of a completion queue that its next poll reads.
 *
 * @param consumer completions that were consumed since the queue was created, 32 bits
 * @param slot of the ring that is read next
 * @param owner the owner bit that an entry of this pass has, 0 or 1
 * @param lastWord bytes 56–63 of the slot
 */
public record CompletionRingState(int consumer, int slot, int owner, long lastWord) {

  /** True when the entry is new. */
  public boolean isReady() {
    return hasOwner() && !isInitial();
  }

  /** True when the owner bit is that of this pass. */
  public boolean hasOwner() {
    return Cqe.owner(lastWord) == owner;
  }

  /** True when no device has written the slot. */
  public boolean isInitial() {
    return Cqe.opcode(lastWord) == CqeOpcode.INVALID;
  }
}
