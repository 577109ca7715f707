package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionChannel;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client that takes all it can get is refused with a reason, and others still get their share.
 */
class GreedyClientTest {
  private static final long AMOUNT = 64;
  private static final int MANY = 1000;
  private static final int OTHER = -1;

  @TempDir private Path folder;

  /** Resources to exhaust. */
  private enum Greed {
    DOMAINS(Quota.DOMAINS) {
      @Override
      Object take(Greedy client) {
        return client.device.allocateProtectionDomain();
      }
    },
    KEYS(Quota.KEYS) {
      @Override
      Object take(Greedy client) {
        return client.domain.register(client.memory.segment(), Access.LOCAL_WRITE);
      }
    },
    QUEUE_PAIRS(Quota.QUEUE_PAIRS) {
      @Override
      Object take(Greedy client) {
        return client.domain.rcQueuePair(client.completions).create();
      }
    },
    STREAMS(Quota.STREAMS) {
      @Override
      Object take(Greedy client) {
        return client.domain.dcStreamInitiator(client.completions, 8).create();
      }
    },
    DC_TARGETS(Quota.DC_TARGETS) {
      @Override
      Object take(Greedy client) {
        return client.domain.dcTarget(client.completions, client.receives).create();
      }
    },
    RECEIVE_QUEUES(Quota.RECEIVE_QUEUES) {
      @Override
      Object take(Greedy client) {
        return client.domain.sharedReceiveQueue().requests(1).create();
      }
    },
    TAG_MATCHING_QUEUES(Quota.TAG_MATCHING_QUEUES) {
      @Override
      Object take(Greedy client) {
        return client.domain.tagMatchingReceiveQueue(client.completions).tags(1).create();
      }
    },
    COMPLETION_QUEUES(Quota.COMPLETION_QUEUES) {
      @Override
      Object take(Greedy client) {
        return client.device.createCompletionQueue(4);
      }
    },
    UMEMS(Quota.UMEMS) {
      @Override
      Object take(Greedy client) {
        return client.device.createCompletionQueue(4);
      }
    },
    OBJECTS(Quota.OBJECTS) {
      @Override
      Object take(Greedy client) {
        return client.device.allocateProtectionDomain();
      }
    },
    MAPPINGS(Quota.MAPPINGS) {
      @Override
      Object take(Greedy client) {
        return client.domain.allocate(4096, Access.LOCAL_WRITE);
      }
    },
    BYTES(Quota.BYTES) {
      @Override
      Object take(Greedy client) {
        return client.domain.allocate(1 << 20, Access.LOCAL_WRITE);
      }
    },
    DEVICE_MEMORY(Quota.DEVICE_MEMORY) {
      @Override
      Object take(Greedy client) {
        return client.device.allocateDeviceMemory(64);
      }
    },
    SUBSCRIPTIONS(Quota.SUBSCRIPTIONS) {
      @Override
      Object take(Greedy client) {
        return client.device.createCompletionQueue(4);
      }
    },
    THREADS(Quota.THREADS) {
      @Override
      Object take(Greedy client) {
        return Device.open(client.name);
      }
    },
    CONNECTIONS(Quota.CONNECTIONS) {
      @Override
      Object take(Greedy client) {
        return Device.open(client.name);
      }
    },
    DESCRIPTORS(Quota.DESCRIPTORS) {
      @Override
      Object take(Greedy client) {
        return Device.open(client.name);
      }
    };

    private final Quota quota;

    Greed(Quota quota) {
      this.quota = quota;
    }

    abstract Object take(Greedy client);

    long amount() {
      return switch (quota) {
        case BYTES -> AMOUNT << 18;
        case DEVICE_MEMORY -> AMOUNT << 10;
        default -> AMOUNT;
      };
    }
  }

  /** A client that exhausts a resource. */
  private static final class Greedy implements AutoCloseable {
    private final String name;
    private final Device device;
    private final ProtectionDomain domain;
    private final MemoryRegion memory;
    private final CompletionQueue completions;
    private final SharedReceiveQueue receives;

    Greedy(String name) {
      this.name = name;
      device = Device.open(name);
      domain = device.allocateProtectionDomain();
      memory = domain.allocate(4096, Access.LOCAL_WRITE);
      completions = device.createCompletionQueue(16);
      receives = domain.sharedReceiveQueue().requests(1).create();
    }

    @Override
    public void close() {
      device.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void eachQuotaIsNamedWhenItIsReachedAndGivenBackAtTheEnd(Greed greed)
      throws IOException, InterruptedException {
    try (Host host = new Host(folder, Map.of(greed.quota, greed.amount()))) {
      List<AutoCloseable> others = new ArrayList<>();
      try (Greedy client = new Greedy(host.name())) {
        @Nullable HcaException refused = null;
        for (int i = 0; i < MANY && refused == null; i++) {
          try {
            if (greed.take(client) instanceof Device device) {
              others.add(device);
            }
          } catch (HcaException e) {
            refused = e;
          }
        }
        assertThat(refused).as("after %d", MANY).isNotNull();
        assertThat(refused)
            .hasMessageContaining("the client holds")
            .hasMessageContaining("(quota %s)", greed.quota.name());
        assertThat(refused.status()).isEqualTo(CommandStatus.LIM_ERR);
        Account other = host.quotas().open(OTHER);
        Account.Hold left = other.take(greed.quota, greed.amount() / 8);
        assertThat(other.held(greed.quota)).isPositive();
        left.close();
      }
      for (AutoCloseable other : others) {
        closed(other);
      }
      host.expectNothingLeft();
      assertThat(held(host)).isEmpty();
    }
  }

  private static void closed(AutoCloseable device) {
    if (device instanceof Device open) {
      open.close();
    }
  }

  private static Map<Quota, Long> held(Host host) {
    Map<Quota, Long> held = new HashMap<>();
    for (Quota quota : Quota.values()) {
      if (host.quotas().held(quota) != 0) {
        held.put(quota, host.quotas().held(quota));
      }
    }
    return held;
  }

  @Test
  void manyRegisterPagesShareOneMappingAndOneDescriptor() throws IOException {
    try (Host host = new Host(folder, Map.of(Quota.MAPPINGS, 16L));
        SocketHca client = new SocketHca(host.socket())) {
      long before = host.quotas().held(Quota.DESCRIPTORS);
      for (int i = 0; i < 128; i++) {
        assertThat(client.allocateUar().number()).isPositive();
      }
      assertThat(host.quotas().held(Quota.MAPPINGS)).isEqualTo(2);
      assertThat(host.quotas().held(Quota.DESCRIPTORS) - before).isEqualTo(2);
      assertThat(host.quotas().held(Quota.UARS)).isEqualTo(128);
      // The client maps a page each, in this same process.
      assertThat(mappingsOfBlocks()).isEqualTo(2);
    }
  }

  private static long mappingsOfBlocks() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("/memfd:bluebell-uar"))
        .filter(
            line -> {
              int dash = line.indexOf('-');
              int space = line.indexOf(' ');
              return Long.parseLong(line, dash + 1, space, 16) - Long.parseLong(line, 0, dash, 16)
                  == 64 * 4096;
            })
        .count();
  }

  @Test
  void repeatedSubscriptionsCountOnce() throws IOException {
    try (Host host = new Host(folder, Map.of(Quota.SUBSCRIPTIONS, 64L));
        Device device = Device.open(host.name());
        CompletionChannel channel = device.openCompletionChannel();
        CompletionQueue queue = device.createCompletionQueue(4)) {
      assertThat(channel).isNotNull();
      assertThat(queue).isNotNull();
      assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isLessThan(8);
    }
  }

  @Test
  void aQueueThatIsRefusedLeavesNothing() throws IOException, InterruptedException {
    try (Host host = new Host(folder, Map.of(Quota.QUEUE_PAIRS, 2L))) {
      try (Greedy client = new Greedy(host.name())) {
        RcQueuePair first = client.domain.rcQueuePair(client.completions).create();
        for (int i = 0; i < 10; i++) {
          try {
            assertThat(client.domain.rcQueuePair(client.completions).create()).isNull();
          } catch (HcaException e) {
            assertThat(e).hasMessageContaining("(quota QUEUE_PAIRS)");
          }
        }
        first.close();
        client.domain.rcQueuePair(client.completions).create().close();
      }
      host.expectNothingLeft();
      assertThat(held(host)).isEmpty();
    }
  }
}
