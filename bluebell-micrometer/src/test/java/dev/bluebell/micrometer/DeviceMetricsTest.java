package dev.bluebell.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.test.Rdma;
import dev.bluebell.test.RdmaPair;
import dev.bluebell.verbs.Device;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A registry shows the counters of a device. */
class DeviceMetricsTest {
  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  private double count(String name) {
    return registry.get(name).functionCounter().count();
  }

  private static void write(RdmaPair pair) {
    pair.left().queuePair().write(pair.right().memory().remote()).signaled(1);
    pair.left().queuePair().ringDoorbell();
    pair.left().expectSuccess(1);
  }

  @Test
  void eachCounterOfTheDeviceIsAMetricThatRisesWithIt(@Rdma RdmaPair pair) {
    new DeviceMetrics(pair.device().device()).bindTo(registry);
    assertThat(registry.getMeters()).hasSize(PortCounter.values().length + 1);
    assertThat(count("bluebell.port.rx.write.requests")).isZero();
    write(pair);
    assertThat(count("bluebell.port.rx.write.requests")).as("of the sample").isZero();
    clock.add(Duration.ofMillis(100));
    assertThat(count("bluebell.port.rx.write.requests")).isEqualTo(1);
    assertThat(count("bluebell.port.xmit.packets")).isPositive();
    assertThat(registry.get("bluebell.objects.open").gauge().value())
        .isEqualTo(pair.device().device().openObjects().size());
  }

  @Test
  void theValuesOfAClosedDeviceStay(@Rdma RdmaPair pair) {
    new DeviceMetrics(pair.device().device(), Tags.of("rack", "7")).bindTo(registry);
    write(pair);
    clock.add(Duration.ofMillis(100));
    double before = count("bluebell.port.xmit.packets");
    pair.device().close();
    clock.add(Duration.ofMillis(100));
    assertThat(count("bluebell.port.xmit.packets")).isEqualTo(before).isPositive();
    assertThat(
            registry
                .get("bluebell.port.xmit.packets")
                .tags("device", pair.device().device().name(), "rack", "7")
                .functionCounters())
        .hasSize(1);
  }

  @Test
  void aReopenedDeviceTakesThePlaceOfTheFirst(@Rdma RdmaPair before, @Rdma RdmaPair after) {
    try (DeviceMetrics metrics = new DeviceMetrics(before.device().device())) {
      metrics.bindTo(registry);
    }
    assertThat(registry.getMeters()).isEmpty();
    new DeviceMetrics(after.device().device()).bindTo(registry);
    write(after);
    clock.add(Duration.ofMillis(100));
    assertThat(count("bluebell.port.rx.write.requests")).isEqualTo(1);
  }

  @Test
  void theMetricsOfAnOpenDeviceStayWhenThoseOfAnotherOfTheSameNameAreClosed(
      @Rdma RdmaPair first, @Rdma RdmaPair second) {
    new DeviceMetrics(first.device().device()).bindTo(registry);
    try (DeviceMetrics other = new DeviceMetrics(second.device().device())) {
      other.bindTo(registry);
    }
    write(first);
    clock.add(Duration.ofMillis(100));
    assertThat(count("bluebell.port.rx.write.requests")).isEqualTo(1);
  }

  @Test
  void dataIsCountedInWords(@Rdma RdmaPair pair) {
    new DeviceMetrics(pair.device().device()).bindTo(registry);
    for (String name : List.of("bluebell.port.xmit.data", "bluebell.port.rcv.data")) {
      Meter.Id id = registry.get(name).meter().getId();
      assertThat(id.getBaseUnit()).isEqualTo("words");
      assertThat(id.getDescription()).endsWith(", in units of 4 bytes");
    }
    assertThat(registry.get("bluebell.port.xmit.packets").meter().getId().getBaseUnit()).isNull();
  }

  @Test
  void theValuesStayWhileADeviceCloses(@Rdma RdmaPair pair) {
    AtomicBoolean isClosing = new AtomicBoolean();
    Device device =
        (Device)
            Proxy.newProxyInstance(
                Device.class.getClassLoader(),
                new Class<?>[] {Device.class},
                (proxy, method, arguments) -> {
                  if (isClosing.get()) {
                    throw new IllegalStateException("the connection of the device is closed");
                  }
                  return method.invoke(pair.device().device(), arguments);
                });
    new DeviceMetrics(device).bindTo(registry);
    write(pair);
    clock.add(Duration.ofMillis(100));
    double before = count("bluebell.port.xmit.packets");
    isClosing.set(true);
    clock.add(Duration.ofMillis(100));
    assertThat(count("bluebell.port.xmit.packets")).isEqualTo(before).isPositive();
  }

  @Test
  void theValuesOfACardThatIsRemovedStay(@Rdma RdmaPair pair) {
    AtomicBoolean isRemoved = new AtomicBoolean();
    Device device =
        (Device)
            Proxy.newProxyInstance(
                Device.class.getClassLoader(),
                new Class<?>[] {Device.class},
                (proxy, method, arguments) ->
                    isRemoved.get() && method.getName().equals("counters")
                        ? Map.of()
                        : method.invoke(pair.device().device(), arguments));
    new DeviceMetrics(device).bindTo(registry);
    write(pair);
    clock.add(Duration.ofMillis(100));
    double before = count("bluebell.port.xmit.packets");
    isRemoved.set(true);
    clock.add(Duration.ofMillis(100));
    assertThat(count("bluebell.port.xmit.packets")).isEqualTo(before).isPositive();
  }
}
