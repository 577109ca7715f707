package dev.bluebell.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.ForwardingHosting;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.server.Account;
import dev.bluebell.server.Client;
import dev.bluebell.server.ClientUid;
import dev.bluebell.server.DeviceServer;
import dev.bluebell.server.LimitedLog;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests at which the device fails leave nothing behind when their client has ended. */
class FailingDeviceTest {
  @TempDir private Path folder;
  private final SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT);
  private final Quotas quotas = Quotas.of(nic);
  private DeviceServer server;
  private SocketHca client;

  @BeforeEach
  void open() throws IOException {
    server = new DeviceServer(socket(), new RemoteService(new Failing(nic), others -> {}), quotas);
    client = new SocketHca(socket());
  }

  private Path socket() {
    return folder.resolve("device.sock");
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
    nic.close();
  }

  /** A device that has no heap for a umem, and refuses subscriptions. */
  private static final class Failing extends ForwardingHca {
    Failing(Hca hca) {
      super(hca);
    }

    @Override
    public Optional<HcaHosting> hosting() {
      return super.hosting()
          .map(
              hosting ->
                  new ForwardingHosting(hosting) {
                    @Override
                    public Hca openClient() {
                      return new Failing(super.openClient());
                    }
                  });
    }

    @Override
    public HcaUmem registerUmem(MemorySegment memory) {
      throw new OutOfMemoryError("for the test");
    }

    @Override
    public HcaEventChannel openEventChannel() {
      return new Refusing(super.openEventChannel());
    }
  }

  private record Refusing(HcaEventChannel channel) implements HcaEventChannel {
    @Override
    public void subscribe(@Nullable HcaObject object, int type, long cookie) {
      throw Connection.failure("for the test");
    }

    @Override
    public @Nullable HcaEvent poll() {
      return channel.poll();
    }

    @Override
    public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
      return channel.await(timeoutNanos);
    }

    @Override
    public void wakeup() {
      channel.wakeup();
    }

    @Override
    public void close() {
      channel.close();
    }
  }

  private void expectFree(Quota quota) throws InterruptedException {
    client.close();
    server.awaitIdle(1);
    assertThat(quotas.held(quota)).isZero();
  }

  @Test
  void memoryOfAUmemThatCouldNotBeRegisteredIsFreed() throws InterruptedException {
    MemorySegment memory = client.allocate(4096);
    assertThatExceptionOfType(DeviceLostException.class)
        .isThrownBy(() -> client.registerUmem(memory));
    expectFree(Quota.BYTES);
  }

  @Test
  void anObjectThatCanNotBeFreedDoesNotKeepOthers() {
    OwnObjects objects = new OwnObjects(quotas.open(1));
    AtomicInteger freed = new AtomicInteger();
    objects.add(ObjectKind.UMEM, 1, freed::incrementAndGet, () -> {});
    objects.add(
        ObjectKind.UMEM,
        2,
        () -> {
          throw new NoClassDefFoundError("for the test");
        },
        () -> {});
    objects.add(ObjectKind.UMEM, 3, freed::incrementAndGet, () -> {});
    objects.close();
    assertThat(freed).hasValue(2);
  }

  @Test
  void eachPartOfAClientIsFreedThoughAnotherFails() throws IOException {
    Account account = quotas.open(1);
    OwnObjects objects = new OwnObjects(account);
    AtomicInteger freed = new AtomicInteger();
    objects.add(ObjectKind.QUEUE_PAIR, 1, freed::incrementAndGet, () -> {});
    SharedRegions regions = new SharedRegions(account);
    assertThat(regions.allocate(4096)).isPositive();
    Observers observers = new Observers(nic);
    HcaHosting hosting =
        new ForwardingHosting(nic.hosting().orElseThrow()) {
          @Override
          public void trace(int qpn, boolean on) {
            if (!on) {
              throw new OutOfMemoryError("for the test");
            }
          }
        };
    OwnDiagnosis diagnosis = new OwnDiagnosis(observers, hosting, objects);
    assertThat(diagnosis.trace(true)).isFalse();
    try (WatchedProcess process = watchThis()) {
      Holdings holdings = new Holdings(process, ClientUid.take(), objects, regions, diagnosis);
      assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(holdings::close);
    }
    assertThat(freed).hasValue(1);
    assertThat(quotas.held(Quota.BYTES)).isZero();
    assertThat(observers.find(diagnosis.token())).isEmpty();
  }

  private static WatchedProcess watchThis() throws IOException {
    return WatchedProcess.open((int) ProcessHandle.current().pid());
  }

  @Test
  void clientsThatAFailingDeviceCanNotServeKeepNoUid() throws IOException {
    Hca device =
        new ForwardingHca(nic) {
          @Override
          public byte[] execute(byte[] command) {
            throw Connection.failure("for the test");
          }
        };
    Observers observers = new Observers(nic);
    Residents residents = new Residents(new ClientShares(nic));
    try (LocalSocket connection = LocalSocket.connect(socket());
        WatchedProcess process = watchThis()) {
      Client served =
          new Client(connection, process, quotas.open(1), new LimitedLog("dev.bluebell.server"));
      Set<String> reasons = new HashSet<>();
      for (int i = 0; i <= 0xffff; i++) {
        try {
          new RemoteSession(device, served, observers, residents).close();
        } catch (RuntimeException failed) {
          reasons.add(String.valueOf(failed.getMessage()));
        }
      }
      assertThat(reasons).containsExactly("for the test");
    }
  }

  @Test
  void aRefusedSubscriptionDoesNotCount() throws InterruptedException {
    try (HcaEventChannel channel = client.openEventChannel()) {
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> channel.subscribe(null, HcaEvent.PORT_CHANGE, 1))
          .withMessageContaining("for the test");
    }
    expectFree(Quota.SUBSCRIPTIONS);
  }
}
