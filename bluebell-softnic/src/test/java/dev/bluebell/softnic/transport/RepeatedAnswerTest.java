package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Duplicate responses and requests have no cost, and responses come in order. */
class RepeatedAnswerTest {
  private static final int PSN = 0x1000;
  private static final long TIMEOUT = 4096 << 3;

  private final FaultyFabric[] fabric = new FaultyFabric[1];
  private final Rig rig =
      Rigs.open((inside, sink) -> fabric[0] = new FaultyFabric(inside, sink).packetsPerBurst(16));
  private final RawMemory local = rig.memory(1 << 18).fill(1);
  private final RawMemory remote = rig.memory(1 << 18).fill(2);

  @AfterEach
  void close() {
    local.expectCanaries();
    remote.expectCanaries();
    rig.close();
  }

  @Test
  void manyLongReadsAreAnsweredInTheirOrder() {
    RawPair pair = rig.pair(new Settings().reads(2, 2).retryCount(0).timeout(3));
    for (int i = 0; i < 9; i++) {
      pair.left().write(Wqe.read(remote, 0).data(local, 0, 1 << 18));
    }
    pair.left().writeRecord();
    pair.left().ring(0);
    rig.settle();
    assertThat(pair.left().sends().poll(9)).allMatch(cqe -> !cqe.isError());
    assertThat(fabric[0].requestPsns()).hasSize(9);
    assertThat(local.bytes()).isEqualTo(remote.bytes());
  }

  @Test
  void anRnrNakThatComesTwiceCountsOnce() {
    RawPair pair = rig.pair(new Settings().rnrRetry(1).timeout(0));
    fabric[0].onResponse(response -> Fate.REPEAT);
    pair.left().post(Wqe.send().data(local, 0, 8));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    pair.right().receive(remote.address(0), 8, remote.key());
    rig.pass(1_000_000_000);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aNakOfAGapThatComesTwiceTakesOneRetry() {
    RawPair pair = rig.pair(new Settings().retryCount(1).timeout(0));
    boolean[] lost = {false};
    fabric[0]
        .onResponse(response -> Fate.REPEAT)
        .onRequest(
            request -> {
              boolean first = !lost[0];
              lost[0] = true;
              return first ? Fate.LOSE : Fate.DELIVER;
            });
    pair.left().write(Wqe.write(remote, 0).data(local, 0, 8));
    pair.left().post(Wqe.write(remote, 8).data(local, 8, 8));
    rig.settle();
    assertThat(pair.left().sends().poll(2)).allMatch(cqe -> !cqe.isError());
  }

  @Test
  void aDuplicateOfAReadWhoseMemoryIsGoneEndsNoConnection() {
    RawPair pair = rig.pair();
    RawMemory gone = rig.memory(64);
    RawKey key = new RawKey(rig, gone);
    pair.left()
        .post(new Wqe(WqeOpcode.RDMA_READ).remote(gone.address(0), key.key()).data(local, 0, 8));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    key.object().close();
    fabric[0].forgeRequest(
        pair.left().number(),
        pair.right().number(),
        late -> {
          FaultyFabric.carry(late, ServiceType.RC, WqeOpcode.RDMA_READ, true, true);
          late.psn = PSN;
          late.address = gone.address(0);
          late.rkey = key.key();
          late.length = 8;
        });
    rig.settle();
    assertThat(pair.right().state()).isEqualTo(QpState.RTS);
    pair.left().post(Wqe.read(remote, 0).data(local, 0, 8));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  @Test
  void anRnrNakBehindWhichARequestFailsPausesNothing() {
    RawPair pair = rig.pair(new Settings().timeout(3));
    pair.right().receive(remote.address(0), 8, remote.key());
    pair.left().write(Wqe.send().data(local, 0, 8));
    pair.left()
        .post(
            Wqe.send()
                .data(local, 0, 1 << 16)
                .data(local.address(1 << 16), 1 << 16, local.key() ^ 1));
    rig.settle();
    rig.pass(TIMEOUT);
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.LOCAL_PROT_ERR, 1, "data segment 1");
    assertThat(rig.explanations()).noneMatch(line -> line.contains("the device itself failed"));
    assertThat(fabric[0].requestPsns()).isNotEmpty();
  }
}
