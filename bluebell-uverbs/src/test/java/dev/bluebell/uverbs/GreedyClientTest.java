package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.MkeyCommands.CreateMkeyOut;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.DevxClient.Made;
import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that takes all it can get is refused with ENOMEM, and others still get their share. */
class GreedyClientTest {
  private static final long AMOUNT = 40;
  private static final int MANY = 200;
  private static final int CREATE_COMP_CHANNEL = 17;
  private static final int OPEN_XRCD = 37;

  @TempDir private Path folder;

  /** Resources to exhaust; each call returns a result, negative when refused. */
  private enum Greed {
    UARS(Quota.UARS) {
      @Override
      long take(DevxClient client) throws IOException {
        MemorySegment out = client.raw().memory(24);
        return client
            .raw()
            .ioctl(
                DevxClient.UAR,
                0x1000,
                attribute(0x1000, 0),
                0,
                attribute(0x1001, 4),
                0,
                attribute(0x1002, 8),
                out.address(),
                attribute(0x1003, 4),
                out.address() + 8,
                attribute(0x1004, 4),
                out.address() + 16);
      }
    },
    KEYS(Quota.KEYS) {
      @Override
      long take(DevxClient client) throws IOException {
        if (domain == null) {
          domain = client.domain();
          umem = client.umem();
        }
        return client.create(DevxClient.mkey(domain, umem));
      }
    },
    UMEMS(Quota.UMEMS) {
      @Override
      long take(DevxClient client) throws IOException {
        return client.refusedUmem(client.raw().memory(4096).address(), 4096);
      }
    },
    OBJECTS(Quota.OBJECTS) {
      @Override
      long take(DevxClient client) throws IOException {
        return client.raw().write(RawClient.ALLOC_PD, new byte[8], client.raw().memory(8));
      }
    },
    DOMAINS(Quota.DOMAINS) {
      @Override
      long take(DevxClient client) throws IOException {
        byte[] request = Fields.of(16).u32(8, -1).u32(12, 0100).bytes();
        return client.raw().write(OPEN_XRCD, request, client.raw().memory(4));
      }
    },
    DESCRIPTORS(Quota.DESCRIPTORS) {
      @Override
      long take(DevxClient client) throws IOException {
        return client
            .raw()
            .write(CREATE_COMP_CHANNEL, Fields.of(8).bytes(), client.raw().memory(4));
      }
    },
    SUBSCRIPTIONS(Quota.SUBSCRIPTIONS) {
      @Override
      long take(DevxClient client) throws IOException {
        if (uar == null) {
          uar = client.uar();
          channel = openChannel(client);
        }
        return client.verbsCq(uar, 7, 0, channel);
      }
    };

    Made domain;
    Made umem;
    Made uar;
    int channel;
    private final Quota quota;

    Greed(Quota quota) {
      this.quota = quota;
    }

    abstract long take(DevxClient client) throws IOException;
  }

  @ParameterizedTest
  @Tag("slow")
  @EnumSource
  void eachQuotaIsEnomemAndGivenBackAtTheEnd(Greed greed) throws Exception {
    assertThat(CreateMkeyOut.STRUCTURE).isNotNull();
    try (Host host = new Host(folder, Map.of(greed.quota, AMOUNT))) {
      try (DevxClient client = DevxClient.open(host)) {
        long result = 0;
        for (int i = 0; i < MANY && result >= 0; i++) {
          result = greed.take(client);
        }
        assertThat(result).isEqualTo(-Errno.ENOMEM);
        assertThat(host.quotas().held(greed.quota)).isBetween(AMOUNT * 3 / 8 - 2, AMOUNT * 3 / 8);
      }
      host.expectNothingLeft();
      for (Quota quota : Quota.values()) {
        assertThat(host.quotas().held(quota)).as("%s", quota).isZero();
      }
    }
  }

  private static int openChannel(DevxClient client) throws IOException {
    MemorySegment fd = client.raw().memory(4);
    assertThat(client.raw().write(CREATE_COMP_CHANNEL, Fields.of(8).bytes(), fd)).isPositive();
    return fd.get(ValueLayout.JAVA_INT, 0);
  }

  @Test
  @Tag("slow")
  void aQueuePairWithoutRoomForAllItsEventsHoldsNoneOfThem() throws Exception {
    try (Host host = new Host(folder, Map.of(Quota.SUBSCRIPTIONS, AMOUNT))) {
      try (DevxClient client = DevxClient.openPlain(host)) {
        Made uar = client.uar();
        int domain = client.raw().allocateDomain();
        assertThat(client.verbsCq(uar, 7, 0, -1)).isZero();
        long queue = client.lastHandle();
        long held;
        long result;
        do {
          held = host.quotas().held(Quota.SUBSCRIPTIONS);
          result = client.verbsQp(domain, queue, uar);
        } while (result >= 0);
        assertThat(result).isEqualTo(-Errno.ENOMEM);
        assertThat(host.quotas().held(Quota.SUBSCRIPTIONS)).isEqualTo(held);
      }
      host.expectNothingLeft();
    }
  }

  /** The device process could not take the descriptor back, and would not know of it. */
  @Test
  void aChannelThatIsOneObjectTooManyGivesNoDescriptor() throws Exception {
    try (Host host = new Host(folder, Map.of(Quota.OBJECTS, AMOUNT))) {
      try (DevxClient client = DevxClient.openPlain(host)) {
        int given;
        long result;
        do {
          given = client.raw().descriptors();
          result = Greed.DESCRIPTORS.take(client);
        } while (result >= 0);
        assertThat(result).isEqualTo(-Errno.ENOMEM);
        assertThat(client.raw().descriptors()).isEqualTo(given);
      }
      host.expectNothingLeft();
      assertThat(host.quotas().held(Quota.OBJECTS)).isZero();
    }
  }

  @Test
  void aContextThatIsOneTooManyIsEnomem() throws Exception {
    try (Host host = new Host(folder, Map.of(Quota.MAPPINGS, 2L, Quota.THREADS, 100L))) {
      try (RawClient one = new RawClient(host);
          RawClient two = new RawClient(host);
          RawClient three = new RawClient(host)) {
        assertThat(hello(one)).isZero();
        assertThat(hello(two)).isZero();
        assertThat(hello(three)).isEqualTo(-Errno.ENOMEM);
      }
      host.expectNothingLeft();
    }
    try (Host host = new Host(folder, Map.of(Quota.THREADS, 1L));
        RawClient one = new RawClient(host);
        RawClient two = new RawClient(host)) {
      assertThat(hello(one)).isZero();
      assertThat(hello(two)).isEqualTo(-Errno.ENOMEM);
    }
  }

  private static long hello(RawClient client) throws IOException {
    return client.call(RawClient.HELLO, ShimChannel.PROTOCOL_VERSION, 0, 0);
  }
}
