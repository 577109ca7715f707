package dev.bluebell.softnic.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;

/** A decoded completion queue entry, with the device's explanation. */
public record RawCqe(
    int opcode,
    int qpn,
    int userIndex,
    int wqeCounter,
    int sendOpcode,
    int byteCount,
    int immediate,
    int remoteQpn,
    long flags,
    boolean solicited,
    int syndrome,
    int vendorSyndrome,
    long timestamp,
    long path,
    String explanation) {

  public static RawCqe at(long address, String explanation) {
    long last = Memory.getLongAcquire(address + Cqe.LAST_WORD);
    long time = Memory.getLong(address + Cqe.TIMESTAMP_WORD);
    long userIndex = Memory.getLong(address + Cqe.UIDX_IMMEDIATE_WORD);
    long flags = Memory.getLong(address + Cqe.FLAGS_RQPN_WORD);
    boolean failed = Cqe.opcode(last) >= CqeOpcode.SIG_ERR;
    return new RawCqe(
        Cqe.opcode(last),
        Cqe.qpn(last),
        Cqe.userIndex(userIndex),
        Cqe.wqeCounter(last),
        Cqe.sendOpcode(last),
        Cqe.byteCount(Memory.getLong(address + Cqe.BYTE_COUNT_WORD)),
        Cqe.immediate(userIndex),
        Cqe.remoteQpn(flags),
        flags,
        Cqe.solicited(last),
        failed ? Cqe.syndrome(time) : 0,
        failed ? Cqe.vendorSyndrome(time) : 0,
        time,
        Memory.getLong(address + Cqe.PATH_WORD),
        explanation);
  }

  public boolean isError() {
    return opcode >= CqeOpcode.SIG_ERR;
  }

  /** Local identifier of the sender on InfiniBand; 0 on Ethernet. */
  public int sourceLid() {
    return Cqe.SLID.getInt(path);
  }

  /** Low bits of the local identifier that the message went to. */
  public int pathBits() {
    return Cqe.ML_PATH.getInt(path);
  }

  /** Expects a success of this kind. */
  public RawCqe require(int expectedOpcode, int expectedCounter) {
    assertThat(CqeOpcode.name(opcode)).as(toString()).isEqualTo(CqeOpcode.name(expectedOpcode));
    assertThat(wqeCounter).isEqualTo(expectedCounter);
    return this;
  }

  /** Expects a failure of this kind, whose explanation contains all of these. */
  public RawCqe requireError(int expectedSyndrome, int expectedCounter, Object... explained) {
    assertThat(isError()).as(toString()).isTrue();
    assertThat(Syndrome.name(syndrome)).as(explanation).isEqualTo(Syndrome.name(expectedSyndrome));
    assertThat(wqeCounter).isEqualTo(expectedCounter);
    for (Object fragment : explained) {
      assertThat(explanation).contains(fragment.toString());
    }
    return this;
  }
}
