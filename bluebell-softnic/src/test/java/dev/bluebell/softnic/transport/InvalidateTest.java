package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CreateMkeyIn;
import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.command.QueryMkeyIn;
import dev.bluebell.hca.command.QueryMkeyOut;
import dev.bluebell.hca.command.View;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** SEND with invalidate, on keys that allow it and on those that don't. */
class InvalidateTest {
  private static final int TAG = 0x5a;

  private final Rig rig = Rigs.open();
  private final RawPair pair = rig.pair();
  private final RawMemory memory = rig.memory(64);
  private final RawMemory source = rig.memory(64).fill(1);

  @AfterEach
  void close() {
    rig.close();
  }

  private HcaObject key(boolean mayBeInvalidated) {
    HcaUmem umem = rig.nic().registerUmem(memory.segment());
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    command.set(CreateMkeyIn.MKEY_UMEM_ID, umem.number()).set(CreateMkeyIn.MKEY_UMEM_VALID, true);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, 1)
        .set(Mkc.LR, true)
        .set(Mkc.LW, true)
        .set(Mkc.RR, true)
        .set(Mkc.RW, true)
        .set(Mkc.EN_RINVAL, mayBeInvalidated)
        .set(Mkc.QPN, 0xffffff)
        .set(Mkc.MKEY_7_0, TAG)
        .set(Mkc.PD, rig.domain().number())
        .set(Mkc.START_ADDR, memory.address(0))
        .set(Mkc.LEN, 64);
    return rig.nic().create(command.bytes());
  }

  private static int rkey(HcaObject key) {
    return key.number() << 8 | TAG;
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
  void aKeyThatAllowsItEndsAndTheReceiverIsTold() {
    HcaObject key = key(true);
    writeWith(rkey(key), pair);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    sendInvalidate(rkey(key));
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
    RawCqe received = pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND_INV, 0);
    assertThat(received.immediate()).isEqualTo(rkey(key));
    byte[] query =
        View.command(QueryMkeyIn.STRUCTURE, CommandOpcode.QUERY_MKEY)
            .set(QueryMkeyIn.MKEY_INDEX, key.number())
            .bytes();
    View context = View.over(key.query(query)).at(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY);
    assertThat(context.isSet(Mkc.FREE)).isTrue();
    byte[] before = memory.bytes();
    source.fill(2);
    writeWith(rkey(key), pair);
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 2, "was invalidated", "rkey");
    assertThat(memory.bytes()).isEqualTo(before);
    key.close();
  }

  @Test
  void aKeyThatDoesNotAllowItFailsBothEndsAndStays() {
    HcaObject key = key(false);
    sendInvalidate(rkey(key));
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "en_rinval", "rkey 0x%x".formatted(rkey(key)));
    pair.right().receives().pollOne().requireError(Syndrome.LOCAL_ACCESS_ERR, 0, "en_rinval");
    RawPair another = rig.pair(new Settings());
    writeWith(rkey(key), another);
    another.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aKeyThatIsInvalidAlreadyFailsBothEnds() {
    HcaObject key = key(true);
    sendInvalidate(rkey(key));
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    pair.right().receives().poll(1);
    sendInvalidate(rkey(key));
    pair.left().sends().pollOne().requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "was invalidated");
  }

  @Test
  void aKeyThatDoesNotExistFailsBothEnds() {
    sendInvalidate(0x77_0000);
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "rkey 0x770000 names no memory key");
  }
}
