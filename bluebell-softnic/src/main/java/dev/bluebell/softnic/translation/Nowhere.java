package dev.bluebell.softnic.translation;

import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.UmrSegment;
import dev.bluebell.softnic.diagnosis.Explanations;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a key that was bound without an entry, and of {@link KeyTable#NOTHING}: writes are
 * dropped, reads return zeros, and no access is refused, as on hardware. A key without an entry is
 * explained once per binding.
 */
final class Nowhere implements HcaForeignMemory {
  private final Explanations explanations;

  Nowhere(Explanations explanations) {
    this.explanations = explanations;
  }

  @Override
  public boolean read(long address, long to, int bytes) {
    Memory.fill(to, bytes, (byte) 0);
    return true;
  }

  @Override
  public boolean write(long address, long from, int bytes) {
    return true;
  }

  /** Notes the use of a key that has no entry. */
  void note(@Nullable MemoryKey key) {
    if (key == null || !key.isFirstUseOfNothing()) {
      return;
    }
    KeyChange change = key.lastChange();
    explanations.add(
        HcaObserver.Subject.QUEUE_PAIR,
        change.qpn(),
        "memory key 0x%x is used but does not map any memory: data written through it is lost, although completions report success. %s klm_octowords %d, but translations are replaced in multiples of %d octowords: one KLM needs klm_octowords %d, 64 bytes of which 48 are zero"
            .formatted(
                key.key(),
                change.text(),
                change.octowords(),
                UmrSegment.OCTOWORDS_UNIT,
                UmrSegment.octowords(1)));
  }
}
