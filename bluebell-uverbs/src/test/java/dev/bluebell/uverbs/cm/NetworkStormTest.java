package dev.bluebell.uverbs.cm;

import static dev.bluebell.uverbs.cm.CmWorld.offer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.EventResp;
import dev.bluebell.hca.uverbs.CmEventType;
import dev.bluebell.hca.uverbs.RdmaCm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Many connections over a network that loses, doubles and reorders datagrams: each is established
 * once at both ends, or fails with an event, and both ends learn of its end.
 */
class NetworkStormTest {
  private static final int PORT = 7174;
  private static final int CONNECTIONS = 24;
  private static final long LONGEST = 600_000;

  /** The events that the ends of a connection have received. */
  private static final class Ends {
    final List<CmEventType> active = new ArrayList<>();
    final List<CmEventType> passive = new ArrayList<>();
  }

  private final Map<CmId, Ends> ends = new HashMap<>();
  private final Map<Integer, CmId> byQpn = new HashMap<>();

  @ParameterizedTest
  @CsvSource({"0, 0", "0.05, 0.05", "0.2, 0.2", "0.4, 0.1"})
  void eachConnectionIsEstablishedAndEndedOnce(double loss, double doubling) {
    for (long seed = 1; seed <= 25; seed++) {
      ends.clear();
      byQpn.clear();
      storm(seed, loss, doubling);
    }
  }

  private void storm(long seed, double loss, double doubling) {
    TwoManagers managers = new TwoManagers(TwoManagers.NEAR, TwoManagers.FAR, seed, Map.of());
    managers.disturb(loss, doubling, 3000);
    Random random = new Random(seed);
    CmWorld.Party client = managers.near.world.party("client");
    CmWorld.Party server = managers.far.world.party("server");
    CmAddress service = managers.far.address(PORT);
    server.listener(RdmaCm.PS_TCP, service);
    for (int i = 0; i < CONNECTIONS; i++) {
      CmId id = client.resolved(RdmaCm.PS_TCP, service);
      ends.put(id, new Ends());
      byQpn.put(0x100 + i, id);
      id.connect(offer(0x100 + i, ""));
    }
    Map<CmId, CmId> peers = new HashMap<>();
    for (long time = 0; time < LONGEST; time += 100) {
      managers.pass(100);
      hear(client, server, peers, random);
    }
    String story = "seed %d, loss %s, doubling %s".formatted(seed, loss, doubling);
    assertThat(peers).as(story).hasSizeLessThanOrEqualTo(CONNECTIONS);
    for (Map.Entry<CmId, Ends> each : ends.entrySet()) {
      List<CmEventType> active = each.getValue().active;
      List<CmEventType> passive = each.getValue().passive;
      assertThat(active).as("%s: %s", story, passive).isNotEmpty().doesNotHaveDuplicates();
      assertThat(passive).as("%s: %s", story, active).doesNotHaveDuplicates();
      if (active.getFirst() == CmEventType.CONNECT_RESPONSE) {
        assertThat(passive)
            .as("%s: %s", story, active)
            .containsAnyOf(
                CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.UNREACHABLE);
        assertThat(active)
            .as("%s: %s", story, passive)
            .contains(CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
      } else {
        assertThat(active).as(story).containsAnyOf(CmEventType.UNREACHABLE, CmEventType.REJECTED);
      }
    }
    if (loss > 0) {
      assertThat(managers.lost).isPositive();
      assertThat(managers.doubled).isPositive();
      assertThat(managers.reordered).isPositive();
    }
    assertThat(managers.near.network.size()).as(story).isZero();
    assertThat(managers.far.network.size()).as(story).isZero();
  }

  private void hear(
      CmWorld.Party client, CmWorld.Party server, Map<CmId, CmId> peers, Random random) {
    for (View event = server.next(); event != null; event = server.next()) {
      CmEventType kind = kind(event);
      CmId id = server.file.find(event.getInt(EventResp.ID));
      if (kind == CmEventType.CONNECT_REQUEST) {
        int qpn = event.at(EventResp.CONN).getInt(dev.bluebell.hca.uverbs.CmAbi.ConnParam.QP_NUM);
        CmId active = byQpn.get(qpn);
        assertThat(peers.values()).as("a request is delivered once").doesNotContain(active);
        peers.put(id, active);
        id.accept(1 + qpn, offer(qpn, ""));
      } else {
        ends.get(peers.get(id)).passive.add(kind);
        if (kind == CmEventType.DISCONNECTED) {
          id.disconnect();
        }
      }
    }
    for (View event = client.next(); event != null; event = client.next()) {
      CmEventType kind = kind(event);
      CmId id = client.file.find(event.getInt(EventResp.ID));
      ends.get(id).active.add(kind);
      if (kind == CmEventType.CONNECT_RESPONSE) {
        id.acknowledge();
        id.after(random.nextLong(20_000_000_000L), id::disconnect);
      }
    }
  }

  private static CmEventType kind(View event) {
    int number = event.getInt(EventResp.EVENT);
    for (CmEventType kind : CmEventType.values()) {
      if (kind.number() == number) {
        return kind;
      }
    }
    throw new AssertionError("event " + number);
  }
}
