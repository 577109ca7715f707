package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** SEND with invalidate, on keys that allow it and on those that don't. */
class InvalidateTest {
  private final Rig rig = Rigs.open();
  private final RawPair pair = rig.pair();
  private final RawMemory memory = rig.memory(64);
  private final RawMemory source = rig.memory(64).fill(1);

  @AfterEach
  void close() {
    rig.close();
  }

  private RawKey key(boolean mayBeInvalidated) {
    return new RawKey(rig, memory, context -> context.set(Mkc.EN_RINVAL, mayBeInvalidated));
  }

  private void writeWith(int rkey, RawPair through) {
    through
        .left()
        .post(new Wqe(WqeOpcode.RDMA_WRITE).remote(memory.address(0), rkey).data(source, 0, 64));
    rig.settle();
  }

  private void sendInvalidate(int rkey) {
    pair.right().receiveNothing();
    pair.left().post(new Wqe(WqeOpcode.SEND_INVAL).immediate(rkey));
    rig.settle();
  }

  @Test
  void aKeyThatAllowsItIsInvalidatedAndReportedToTheReceiver() {
    RawKey key = key(true);
    writeWith(key.key(), pair);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    sendInvalidate(key.key());
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
    RawCqe received = pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND_INV, 0);
    assertThat(received.immediate()).isEqualTo(key.key());
    assertThat(key.query().isSet(Mkc.FREE)).isTrue();
    byte[] before = memory.bytes();
    source.fill(2);
    writeWith(key.key(), pair);
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 2, "was invalidated", "rkey");
    assertThat(memory.bytes()).isEqualTo(before);
    key.object().close();
  }

  @Test
  void aKeyThatForbidsInvalidationFailsBothEndsAndStaysValid() {
    RawKey key = key(false);
    sendInvalidate(key.key());
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "en_rinval", "rkey 0x%x".formatted(key.key()));
    pair.right().receives().pollOne().requireError(Syndrome.LOCAL_ACCESS_ERR, 0, "en_rinval");
    RawPair another = rig.pair(new Settings());
    writeWith(key.key(), another);
    another.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aKeyThatIsInvalidAlreadyFailsBothEnds() {
    RawKey key = key(true);
    sendInvalidate(key.key());
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    pair.right().receives().poll(1);
    sendInvalidate(key.key());
    pair.left().sends().pollOne().requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "was invalidated");
  }

  @Test
  void aKeyThatDoesNotExistFailsBothEnds() {
    sendInvalidate(0x77_0000);
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "rkey 0x770000 does not name a memory key");
  }
}
