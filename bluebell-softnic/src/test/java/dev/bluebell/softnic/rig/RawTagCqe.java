package dev.bluebell.softnic.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.memory.Memory;
import java.util.ArrayList;
import java.util.List;

/** A completion of tag matching, with its own fields and the common ones. */
public record RawTagCqe(int app, int operation, int entry, long head, long tag, RawCqe plain) {

  /** Takes all entries of a completion queue. */
  public static List<RawTagCqe> poll(RawCq cq) {
    int from = cq.consumer();
    List<RawTagCqe> taken = new ArrayList<>();
    for (RawCqe plain : cq.peek()) {
      long at = cq.entry(from + taken.size());
      long word = Memory.getLong(at + Cqe.BYTE_COUNT_WORD);
      taken.add(
          new RawTagCqe(
              Cqe.APP.getInt(word),
              Cqe.APP_OP.getInt(word),
              Cqe.APP_INFO.getInt(word),
              Memory.getLong(at),
              Memory.getLong(at + 8),
              plain));
    }
    cq.poll();
    return taken;
  }

  /** Takes the only entry, which must be of tag matching. */
  public static RawTagCqe pollOne(RawCq cq) {
    List<RawTagCqe> taken = poll(cq);
    assertThat(taken).hasSize(1);
    return taken.getFirst();
  }

  /** Expects this of an entry of tag matching. */
  public RawTagCqe require(int opcode, int expectedOperation, int expectedEntry) {
    assertThat(app).as(toString()).isEqualTo(Cqe.APP_TAG_MATCHING);
    assertThat(plain.opcode()).as(toString()).isEqualTo(opcode);
    assertThat(operation).as(toString()).isEqualTo(expectedOperation);
    assertThat(entry).as(toString()).isEqualTo(expectedEntry);
    return this;
  }

  public boolean isSuccess() {
    return TagMatchingCqe.SUCCESS.isSet(head);
  }

  public int unexpected() {
    return TagMatchingCqe.HW_PHASE_CNT.getInt(head);
  }
}
