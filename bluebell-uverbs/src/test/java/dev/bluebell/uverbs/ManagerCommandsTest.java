package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Quota;
import dev.bluebell.server.remote.Observation;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands of the connection manager, also from hostile clients. */
class ManagerCommandsTest extends Hosted {
  private static final int COMMANDS = 25;
  private static final int GET_OPTION = 13;
  private static final int GET_EVENT = 12;
  private static final int RESOLVE_IB_SERVICE = 23;
  private static final int WRITE_CM_EVENT = 24;
  private static final int ROUNDS = 4000;

  @Test
  void aGreetingOfAnotherVersionIsRefused() throws IOException, InterruptedException {
    try (RawClient raw = new RawClient(host)) {
      assertThat(raw.call(ManagerClient.MANAGER, 1, 0, 0)).isEqualTo(-Errno.EPROTO);
    }
    host.expectNothingLeft();
  }

  @Test
  void invalidCommandsAreRefused() throws IOException, InterruptedException {
    try (ManagerClient client = new ManagerClient(host, 0)) {
      assertThat(client.ioctl(0xc0181b01L)).isEqualTo(-Errno.ENOTTY);
      assertThat(client.write(new byte[7])).isEqualTo(-Errno.EINVAL);
      assertThat(client.write(new byte[5000])).isEqualTo(-Errno.EINVAL);
      assertThat(client.command(COMMANDS, new byte[8], 8)).isEqualTo(-Errno.EINVAL);
      assertThat(client.command(-1, new byte[8], 8)).isEqualTo(-Errno.EINVAL);
      assertThat(client.command(GET_OPTION, new byte[8], 8)).isEqualTo(-Errno.ENOSYS);
      assertThat(client.command(RESOLVE_IB_SERVICE, new byte[96], 8)).isEqualTo(-Errno.ENOSYS);
      byte[] longer = Fields.of(8).u32(0, 1).u16(4, 1).bytes();
      assertThat(client.write(longer)).as("more input than bytes").isEqualTo(-Errno.EINVAL);
      assertThat(client.command(0, new byte[24], 3))
          .as("an output without room")
          .isEqualTo(-Errno.ENOSPC);
      assertThat(client.create(0x107)).as("no such port space").isEqualTo(-Errno.EINVAL);
    }
    host.expectNothingLeft();
  }

  @Test
  void anOutputThatCanNotBeWrittenIsAFaultAndLeavesNothing()
      throws IOException, InterruptedException {
    try (ManagerClient client = new ManagerClient(host, 0)) {
      byte[] input = Fields.of(24).u64(0, 42).u64(8, 0x10).u16(16, ManagerClient.PS_TCP).bytes();
      assertThat(client.command(0, input, 4)).isEqualTo(-Errno.EFAULT);
      assertThat(host.quotas().held(Quota.CONNECTION_IDS)).isZero();
    }
    host.expectNothingLeft();
  }

  @Test
  void getEventWithoutAnEventReturnsEagain() throws IOException {
    try (ManagerClient client = new ManagerClient(host, 0)) {
      byte[] input = Fields.of(8).u64(0, client.out().address()).bytes();
      assertThat(client.command(GET_EVENT, input, 336)).isEqualTo(-Errno.EAGAIN);
      assertThat(client.command(GET_EVENT, input, 8)).isEqualTo(-Errno.ENOSPC);
    }
  }

  @Test
  void aClientWritesEventsOfTwoKindsToItsOwnIds() throws IOException {
    try (ManagerClient client = new ManagerClient(host, 0);
        ManagerClient other = new ManagerClient(host, 0)) {
      int id = (int) client.create(ManagerClient.PS_TCP);
      long argument = 0x0123_4567_89ab_cdefL;
      byte[] own = Fields.of(320).u32(0, id).u32(8, 18).u32(12, -5).u64(16, argument).bytes();
      assertThat(client.command(WRITE_CM_EVENT, own, 0)).isEqualTo(own.length + 8);
      byte[] input = Fields.of(8).u64(0, client.out().address()).bytes();
      assertThat(client.command(GET_EVENT, input, 336)).isPositive();
      assertThat(client.out().get(ValueLayout.JAVA_INT, 8)).isEqualTo(id);
      assertThat(client.out().get(ValueLayout.JAVA_INT, 12)).isEqualTo(18);
      assertThat(client.out().get(ValueLayout.JAVA_INT, 16)).isEqualTo(-5);
      assertThat(client.out().get(ValueLayout.JAVA_LONG_UNALIGNED, 20)).isEqualTo(argument);
      byte[] internal = Fields.of(320).u32(0, id).u32(8, 19).u64(16, 16).bytes();
      assertThat(client.command(WRITE_CM_EVENT, internal, 0)).isPositive();

      assertThat(other.command(WRITE_CM_EVENT, own, 0))
          .as("an id of another event channel")
          .isEqualTo(-Errno.EINVAL);
      byte[] unknown = Fields.of(320).u32(0, 99).u32(8, 18).bytes();
      assertThat(client.command(WRITE_CM_EVENT, unknown, 0)).isEqualTo(-Errno.ENOENT);
      byte[] kernels = Fields.of(320).u32(0, 99).u32(8, 9).bytes();
      assertThat(client.command(WRITE_CM_EVENT, kernels, 0))
          .as("RDMA_CM_EVENT_ESTABLISHED, which only the kernel writes")
          .isEqualTo(-Errno.EINVAL);
    }
  }

  @Test
  void idsOfAnotherConnectionAreNotSeen() throws IOException {
    try (ManagerClient client = new ManagerClient(host, 0);
        ManagerClient other = new ManagerClient(host, 0)) {
      long id = client.create(ManagerClient.PS_TCP);
      assertThat(other.destroy(id)).as("of another event channel").isEqualTo(-Errno.EINVAL);
      assertThat(client.bind(id, false, 7000)).isPositive();
      long second = other.create(ManagerClient.PS_TCP);
      assertThat(other.bind(second, false, 7000)).isEqualTo(-Errno.EADDRINUSE);
      assertThat(client.destroy(id)).isZero();
      assertThat(other.bind(second, false, 7000)).isPositive();
    }
  }

  @Test
  void aClientThatAsksForTooManyIdsGetsNoMore() throws IOException, InterruptedException {
    host.close();
    host = new Host(folder, Map.of(Quota.CONNECTION_IDS, 64L));
    try (ManagerClient client = new ManagerClient(host, 0)) {
      long result = 0;
      for (int i = 0; i < 64 && result >= 0; i++) {
        result = client.create(ManagerClient.PS_TCP);
      }
      assertThat(result).isEqualTo(-Errno.ENOMEM);
    }
    host.expectNothingLeft();
    assertThat(host.quotas().held(Quota.CONNECTION_IDS)).isZero();
  }

  @Test
  void anObserverGetsTheReasonForARefusedCommand() throws IOException, InterruptedException {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    try (Observation observation =
            Observation.open(
                host.socket(), false, explanation -> heard.add(explanation.sentence()));
        ManagerClient client = new ManagerClient(host, observation.token())) {
      assertThat(client.destroy(17)).isEqualTo(-Errno.ENOENT);
      assertThat(observation.end()).isEmpty();
      assertThat(heard)
          .containsExactly(
              "a command of the connection manager was refused with ENOENT: number 17 does not name"
                  + " an object of the client");
    }
  }

  @Test
  void anEventChannelTakesNoRoomOfADevice() throws IOException {
    Path other = Files.createDirectory(folder.resolve("other"));
    List<ManagerClient> channels = new ArrayList<>();
    try (Host small = new Host(other, Map.of(Quota.CONNECTIONS, 2L))) {
      for (int i = 0; i < 10; i++) {
        channels.add(new ManagerClient(small, 0));
      }
      channels.forEach(ManagerClient::close);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EVENT_CHANNELS", "THREADS", "DESCRIPTORS"})
  void anObserverGetsTheReasonForARefusedEventChannel(Quota quota)
      throws IOException, InterruptedException {
    Path other = Files.createDirectory(folder.resolve("other"));
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    List<ManagerClient> channels = new ArrayList<>();
    try (Host small = new Host(other, Map.of(quota, 40L));
        Observation observation =
            Observation.open(
                small.socket(), false, explanation -> heard.add(explanation.sentence()))) {
      assertThatThrownBy(
              () -> {
                while (channels.size() < 100) {
                  channels.add(new ManagerClient(small, observation.token()));
                }
              })
          .hasMessageContaining("answered " + -Errno.ENOMEM);
      assertThat(observation.end()).isEmpty();
      assertThat(heard)
          .singleElement()
          .asString()
          .contains("ENOMEM", "(quota %s)".formatted(quota.name()));
      channels.forEach(ManagerClient::close);
    }
  }

  @Test
  void commandsOfRandomBytesAreAnsweredAndLeaveNothing() throws IOException, InterruptedException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (ManagerClient client = new ManagerClient(host, 0);
        ManagerClient other = new ManagerClient(host, 0)) {
      for (int round = 0; round < ROUNDS; round++) {
        ManagerClient each = random.nextBoolean() ? client : other;
        byte[] input = new byte[random.nextInt(320)];
        if (random.nextInt(4) == 0) {
          random.nextBytes(input);
        }
        Fields fields = Fields.over(input);
        // Plausible words: small numbers, families, and the address of the output room.
        for (int i = 0; i + 8 <= input.length && i < 8 * random.nextInt(8); i += 8) {
          switch (random.nextInt(4)) {
            case 0 -> fields.u32(i, random.nextInt(6));
            case 1 -> fields.u64(i, each.out().address());
            case 2 -> fields.u16(i, 2).u16(i + 2, 7000 + random.nextInt(3)).u32(i + 4, 0x0100007f);
            default -> fields.u32(i + 4, random.nextInt(6));
          }
        }
        long result = each.command(random.nextInt(COMMANDS + 1), input, random.nextInt(512));
        assertThat(result).as("seed %d, round %d", seed, round).isNotEqualTo(-Errno.EIO);
        if (random.nextInt(8) == 0) {
          long unused = each.create(ManagerClient.PS_TCP);
        }
      }
    }
    host.expectNothingLeft();
    for (Quota quota : Quota.values()) {
      // Connected ids keep their quota for two seconds after their end.
      if (quota != Quota.CONNECTION_IDS) {
        assertThat(host.quotas().held(quota)).as("%s, seed %d", quota, seed).isZero();
      }
    }
  }
}
