package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.VendorError;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Completions have the vendor syndromes that public logs show, and the formats know them. */
class VendorCodesTest {
  private final Rig rig = Rigs.open();
  private final RawMemory memory = rig.memory(64);

  @AfterEach
  void close() {
    rig.close();
  }

  private static void expect(RawCqe cqe, int syndrome, int code) {
    assertThat(Syndrome.name(cqe.syndrome())).isEqualTo(Syndrome.name(syndrome));
    assertThat(cqe.vendorSyndrome()).isEqualTo(code);
    assertThat(VendorError.isKnown(syndrome, code)).isTrue();
  }

  @Test
  void usedUpRetriesHaveTheirCodes() {
    RawPair rnr = rig.pair(new Settings().rnrRetry(0));
    rnr.left().post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    expect(rnr.left().sends().pollOne(), Syndrome.RNR_RETRY_EXC_ERR, 0x87);
    RawQp lonely = rig.qp(rig.cq(4));
    lonely.connect(0x777, new Settings().timeout(1).retryCount(0));
    lonely.post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    rig.pass(8192);
    expect(lonely.sends().pollOne(), Syndrome.TRANSPORT_RETRY_EXC_ERR, 0x81);
  }

  @Test
  void aFalseReceiveRecordHasItsCodes() {
    RawPair pair = rig.pair();
    pair.right().writeReceiveRecord(40_000);
    pair.left().post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    expect(pair.left().sends().pollOne(), Syndrome.REMOTE_OP_ERR, 0x89);
    expect(pair.right().receives().pollOne(), Syndrome.LOCAL_QP_OP_ERR, 0xd6);
  }

  @Test
  void refusedMemoryOfAReceiveHasItsCodes() {
    RawPair pair = rig.pair();
    pair.right().receive(memory.address(0), 8, memory.key() ^ 0x5a);
    pair.left().post(Wqe.send().data(memory, 0, 8));
    rig.settle();
    expect(pair.left().sends().pollOne(), Syndrome.REMOTE_OP_ERR, 0x89);
    expect(pair.right().receives().pollOne(), Syndrome.LOCAL_PROT_ERR, 0x32);
  }
}
