package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.TagMatchingCqe;
import dev.bluebell.hca.wqe.TagMatchingHeader;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawTagCqe;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.operation.Rendezvous;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The READs of a device for messages that offer their payload (rendezvous). */
class RendezvousTest {
  private static final long TAG = 0x1122334455667788L;

  private Tagged tagged = new Tagged(true, new Settings());
  private RawMemory offered;
  private RawMemory told;

  @BeforeEach
  void offer() {
    offered = tagged.rig.memory(4096).fill(11);
    told = tagged.rig.memory(4096);
    tagged.offer(TAG, offered.address(8), offered.key(), 3000);
  }

  @AfterEach
  void close() {
    told.expectCanaries();
    tagged.close();
  }

  /** Posts the sender's receive for the FIN, which says that its payload was read. */
  private void listen(int slot) {
    tagged.sender().receive(told.address(64L * slot), 64, told.key());
  }

  @Test
  void thePayloadOfAMatchIsReadAndItsSenderGetsAFin() {
    listen(0);
    int entry = tagged.append(TAG, -1, 0, 3000);
    List<RawTagCqe> events = tagged.send(64);
    assertThat(events).hasSize(2);
    RawTagCqe consumed = events.get(0).require(CqeOpcode.NO_PACKET, TagMatchingCqe.CONSUMED, entry);
    assertThat(consumed.tag()).isEqualTo(TAG);
    assertThat((int) consumed.head()).isEqualTo(Tagged.CONTEXT);
    RawTagCqe expected = events.get(1).require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, entry);
    assertThat(expected.tag()).isZero();
    assertThat(expected.plain().byteCount()).isEqualTo(3000);
    assertThat(expected.plain().remoteQpn()).isEqualTo(tagged.sender().number());
    assertThat(tagged.target.bytes(0, 3000)).isEqualTo(offered.bytes(8, 3000));
    var completions = tagged.sender().receives().poll(2);
    completions.get(0).require(CqeOpcode.REQ, 0);
    completions.get(1).require(CqeOpcode.RESP_SEND, 0);
    assertThat(completions.get(1).byteCount()).isEqualTo(32);
    byte[] headers = tagged.source.bytes(0, 32);
    headers[0] = TagMatchingHeader.FIN;
    assertThat(told.bytes(0, 32)).isEqualTo(headers);
    assertThat(tagged.receiver().sends().poll()).isEmpty();
  }

  @Test
  void nothingIsReadForAnEmptyOffer() {
    listen(0);
    tagged.offer(TAG, 0, 0, 0);
    int entry = tagged.append(TAG, -1, 0, 0, 0x100);
    RawTagCqe expected = tagged.send(32).getLast();
    expected.require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, entry);
    assertThat(expected.plain().byteCount()).isZero();
    assertThat(told.bytes(0, 1)).containsExactly(TagMatchingHeader.FIN);
  }

  @Test
  void anOfferThatDoesNotFitIsLeftToSoftware() {
    int entry = tagged.append(TAG, -1, 0, 2999);
    RawTagCqe event =
        tagged
            .send(64)
            .getFirst()
            .require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG_SW_RNDV, entry);
    assertThat(event.tag()).isEqualTo(TAG);
    assertThat(event.plain().byteCount()).isEqualTo(64);
    assertThat(tagged.target.bytes(0, 64)).isEqualTo(tagged.source.bytes(0, 64));
  }

  @Test
  void aQueuePairOfItsClientLeavesTheOfferToSoftware() {
    tagged.close();
    tagged = new Tagged();
    offer();
    int entry = tagged.append(TAG, -1, 0, 4096);
    tagged
        .send(40)
        .getFirst()
        .require(CqeOpcode.RESP_SEND, TagMatchingCqe.CONSUMED_MSG_SW_RNDV, entry);
    assertThat(tagged.target.bytes(0, 40)).isEqualTo(tagged.source.bytes(0, 40));
  }

  @Test
  void anOfferWithoutAMatchingTagIsUnexpected() {
    tagged.receive(0, 64);
    tagged.send(48).getFirst().require(CqeOpcode.RESP_SEND, TagMatchingCqe.UNEXPECTED, 0);
    assertThat(tagged.target.bytes(Tagged.UNTAGGED, 48)).isEqualTo(tagged.source.bytes(0, 48));
  }

  @Test
  void offersAreReadInOrderHoweverManyThereAre() {
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 4; i++) {
        listen(i);
        tagged.append(TAG, -1, 1024L * i, 1024);
      }
      for (int i = 0; i < 4; i++) {
        tagged.offer(TAG, offered.address(1000L * i), offered.key(), 1000);
        tagged.sender().post(Wqe.send().data(tagged.source, 0, 32));
        tagged.rig.settle();
      }
      assertThat(RawTagCqe.poll(tagged.xrq.completions())).hasSize(8);
      for (int i = 0; i < 4; i++) {
        assertThat(tagged.target.bytes(1024L * i, 1000)).isEqualTo(offered.bytes(1000L * i, 1000));
      }
      tagged.sender().sends().poll(8);
    }
  }

  @Test
  void aSenderWaitsWhenMoreIsOfferedThanAQueuePairReadsAtATime() {
    // The FIN of the first payload finds no receive, so no rendezvous ends.
    tagged.append(TAG, -1, 0, 3000);
    assertThat(tagged.send(32)).hasSize(2);
    for (int i = 1; i < Rendezvous.MOST; i++) {
      int entry = tagged.append(TAG, -1, 0, 3000);
      tagged.send(32).getFirst().require(CqeOpcode.NO_PACKET, TagMatchingCqe.CONSUMED, entry);
    }
    tagged.append(TAG, -1, 0, 3000);
    assertThat(tagged.send(32)).isEmpty();
    int read = 0;
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 8; i++) {
        listen(i);
      }
      tagged.rig.pass(100_000);
      tagged.sender().receives().poll();
      for (RawTagCqe event : RawTagCqe.poll(tagged.xrq.completions())) {
        read += event.operation() == TagMatchingCqe.EXPECTED ? 1 : 0;
      }
    }
    assertThat(read).isEqualTo(Rendezvous.MOST);
  }

  @Test
  void theRnrErrorOfASenderNamesTheLimitOfRendezvous() {
    RawQp sender = tagged.rig.qp(tagged.rig.cq(6));
    RawQp receiver = tagged.xrq.offloaded();
    sender.connect(receiver.number(), new Settings().rnrRetry(0));
    receiver.connect(sender.number(), new Settings());
    for (int i = 0; i <= Rendezvous.MOST; i++) {
      tagged.append(TAG, -1, 0, 3000);
      sender.post(Wqe.send().data(tagged.source, 0, 32));
      tagged.rig.settle();
      RawTagCqe.poll(tagged.xrq.completions());
    }
    sender
        .sends()
        .poll(Rendezvous.MOST + 1)
        .getLast()
        .requireError(
            Syndrome.RNR_RETRY_EXC_ERR, Rendezvous.MOST, "already has 32 rendezvous in progress");
  }

  @Test
  void anOfferThatItsKeyRefusesIsCancelledAndEndsTheConnection() {
    RawMemory unreadable = tagged.rig.memory(4096, HcaAccess.LOCAL_WRITE);
    tagged.offer(TAG, unreadable.address(0), unreadable.key(), 100);
    int entry = tagged.append(TAG, -1, 0, 3000);
    List<RawTagCqe> events = tagged.send(32);
    assertThat(events).hasSize(2);
    RawTagCqe cancelled =
        events.get(1).require(CqeOpcode.NO_PACKET, TagMatchingCqe.MSG_COMPLETION_CANCELED, entry);
    assertThat(cancelled.plain().explanation()).contains("REMOTE_READ");
    assertThat(tagged.receiver().state()).isEqualTo(QpState.ERR);
    assertThat(tagged.receiver().sends().poll()).isEmpty();
    assertThat(tagged.target.bytes(0, 100)).containsOnly(0);
  }

  @Test
  void aBufferThatItsKeyRefusesIsCancelledAndEndsTheConnection() {
    int entry = tagged.append(TAG, -1, tagged.target.address(0), 3000, 0x7700);
    tagged
        .send(32)
        .getLast()
        .require(CqeOpcode.NO_PACKET, TagMatchingCqe.MSG_COMPLETION_CANCELED, entry);
    assertThat(tagged.receiver().state()).isEqualTo(QpState.ERR);
  }

  @Test
  void theBufferOfATagBelongsToTheDomainOfItsQueue() {
    HcaObject domain = tagged.rig.nic().allocateProtectionDomain();
    RawMemory buffer = tagged.rig.memory(domain, 4096, HcaAccess.ALL);
    Tagged apart =
        new Tagged(tagged.rig, true, new Settings(), wq -> wq.set(Wq.PD, domain.number()));
    apart.sender().receive(told.address(0), 64, told.key());
    apart.offer(TAG, offered.address(8), offered.key(), 3000);
    int entry = apart.append(TAG, -1, buffer.address(0), 3000, buffer.key());
    apart.send(32).getLast().require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, entry);
    assertThat(buffer.bytes(0, 3000)).isEqualTo(offered.bytes(8, 3000));
    int ofOther = apart.append(TAG, -1, 0, 3000);
    apart
        .send(32)
        .getLast()
        .require(CqeOpcode.NO_PACKET, TagMatchingCqe.MSG_COMPLETION_CANCELED, ofOther);
    assertThat(apart.target.bytes(0, 3000)).containsOnly(0);
  }

  @Test
  void offersThatAreUnreadWhenTheConnectionEndsAreCancelled() {
    tagged.append(TAG, -1, 0, 3000);
    tagged.append(TAG, -1, 0, 3000);
    tagged.send(32);
    // The second waits behind the first, whose FIN finds no receive.
    List<RawTagCqe> events = tagged.send(32);
    int told = events.size();
    tagged.receiver().toError();
    tagged.rig.settle();
    List<RawTagCqe> rest = RawTagCqe.poll(tagged.xrq.completions());
    assertThat(told + rest.size()).isEqualTo(2);
    tagged.receiver().reset();
    tagged.sender().reset();
    tagged.sender().connect(tagged.receiver().number(), new Settings());
    tagged.receiver().connect(tagged.sender().number(), new Settings());
    listen(0);
    int entry = tagged.append(TAG, -1, 0, 3000);
    tagged.send(32).getLast().require(CqeOpcode.RESP_SEND, TagMatchingCqe.EXPECTED, entry);
  }
}
