package dev.bluebell.examples.cookbook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.examples.keyvalue.KeyValueServer;
import dev.bluebell.examples.keyvalue.KeyValueStore;
import dev.bluebell.examples.keyvalue.RdmaKeyValueStore;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.test.Rdma;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The sequence diagram of each recipe in docs/cookbook.md shows what the device recorded when the
 * recipe ran. With {@code -Dbluebell.ladders.write=true} the page is written instead.
 */
class LaddersTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ""))
          .toAbsolutePath()
          .getParent()
          .resolve("docs/cookbook.md");

  @Test
  void credits(@Rdma Device device) throws IOException {
    compare("Credits", device, () -> Credits.run(device, 10), "sender", "receiver");
  }

  @Test
  void keepalive(@Rdma Device device) throws IOException {
    compare("Keepalive", device, () -> Keepalive.run(device), "prober", "peer");
  }

  /** One client, which puts a value and reads it. */
  @Test
  void keyValueStore() throws IOException {
    try (Device device = Device.open("soft:engine=poll")) {
      compare("A one-sided key-value store", device, () -> putAndGet(device), "client", "server");
    }
  }

  private static void putAndGet(Device device) {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    byte[] value = {1, 2, 3};
    try (KeyValueServer server = new KeyValueServer(device, anyPort, 1);
        KeyValueStore store = new RdmaKeyValueStore(device, server.address())) {
      assertThat(store.put(7, value)).isTrue();
      assertThat(store.get(7)).isEqualTo(value);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rendezvous(@Rdma Device device) throws IOException {
    compare(
        "Rendezvous", device, () -> Rendezvous.run(device, new byte[100]), "sender", "receiver");
  }

  @Test
  void recovery(@Rdma Device device) throws IOException {
    compare(
        "Recovery: create anew",
        device,
        () -> Recovery.run(device),
        "writer",
        "peer",
        "writer's second queue pair",
        "second peer");
  }

  @Test
  void sharedReceives(@Rdma Device device) throws IOException {
    compare(
        "A pool of receives",
        device,
        () -> SharedReceives.run(device, 2, 2),
        "client 1",
        "end 1",
        "client 2",
        "end 2");
  }

  @Test
  void sharedCompletions(@Rdma Device device) throws IOException {
    compare(
        "One completion queue for many connections",
        device,
        () -> SharedCompletions.run(device, 2, 3),
        "ours 1",
        "peer 1",
        "ours 2",
        "peer 2");
  }

  /** Runs a recipe, whose queue pairs have these names in the order in which they appear. */
  private static void compare(String heading, Device device, Runnable recipe, String... names)
      throws IOException {
    HcaDiagnosis diagnosis = device.diagnosis().orElseThrow();
    diagnosis.trace(true);
    recipe.run();
    String ladder = new Ladder(List.of(names)).draw(diagnosis.happenings());
    String page = Files.readString(PAGE);
    Matcher part = Pattern.compile("(?ms)^## %s$.*?(?=^From `)".formatted(heading)).matcher(page);
    assertThat(part.find()).as("docs/cookbook.md has the recipe %s", heading).isTrue();
    String text = part.group().replaceAll("(?ms)^```mermaid\\n.*?^```\\n\\n", "");
    String wanted = "%s```mermaid%n%s```%n%n".formatted(text, ladder);
    if (Boolean.getBoolean("bluebell.ladders.write")) {
      Files.writeString(PAGE, page.replace(part.group(), wanted));
    } else {
      assertThat(part.group()).isEqualTo(wanted);
    }
  }

  /** Converts a device's flight record to a Mermaid sequence diagram. */
  private static final class Ladder {
    private final List<String> names;
    private final Map<Integer, String> ends = new HashMap<>();
    private final Map<Integer, Integer> peers = new HashMap<>();
    private final Map<String, String> fetched = new HashMap<>();
    private final List<String> lines = new ArrayList<>();

    Ladder(List<String> names) {
      this.names = names;
    }

    String draw(List<HcaHappening> happenings) {
      happenings.forEach(this::add);
      StringBuilder text = new StringBuilder("sequenceDiagram\n");
      for (int i = 0; i < ends.size(); i++) {
        text.append("  participant Q%d as %s%n".formatted(i + 1, names.get(i)));
      }
      for (int i = 0; i < lines.size(); ) {
        int same = 1;
        while (i + same < lines.size() && lines.get(i + same).equals(lines.get(i))) {
          same++;
        }
        text.append(
            "  %s%s%n".formatted(lines.get(i), same == 1 ? "" : ", %d times".formatted(same)));
        i += same;
      }
      return text.toString();
    }

    private void add(HcaHappening happening) {
      int number = happening.number();
      switch (happening.kind()) {
        case HcaHappening.CONNECTED -> peers.put(number, happening.detail());
        case HcaHappening.FETCHED ->
            fetched.put(number + ":" + happening.index(), WqeOpcode.name(happening.detail()));
        case HcaHappening.DELIVERED -> {
          String from = end(happening.detail());
          String to = end(number);
          String opcode = fetched.remove(happening.detail() + ":" + happening.index());
          lines.add("%s->>%s: %s".formatted(from, to, opcode));
          if ("RDMA_READ".equals(opcode)) {
            lines.add("%s-->>%s: data".formatted(to, from));
          }
        }
        case HcaHappening.COMPLETED -> {
          if (happening.syndrome() != 0) {
            String from = end(number);
            String opcode = fetched.remove(number + ":" + happening.index());
            if (opcode != null && happening.syndrome() != Syndrome.WR_FLUSH_ERR) {
              lines.add("%s-x%s: %s".formatted(from, end(peers.get(number)), opcode));
            }
            lines.add("Note over %s: %s".formatted(from, Syndrome.name(happening.syndrome())));
          }
        }
        default -> {}
      }
    }

    private String end(int qpn) {
      return ends.computeIfAbsent(qpn, first -> end());
    }

    private String end() {
      return "Q" + (ends.size() + 1);
    }
  }
}
