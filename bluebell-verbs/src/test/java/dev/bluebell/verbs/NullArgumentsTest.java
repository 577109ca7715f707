package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What calls with null say, except those of the data path: which argument it was. */
class NullArgumentsTest {
  private static final String WHICH = "the [A-Za-z ]+ (is|are) null";

  private final FakeHca hca = new FakeHca();
  private final Device device = Device.over(hca);
  private final ProtectionDomain domain = device.allocateProtectionDomain();
  private final CompletionQueue completions = device.createCompletionQueue(16);
  private final RcQueuePair queuePair = domain.rcQueuePair(completions).create();
  private final Map<Class<?>, Object> samples = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();

  private void sample(Class<?> type, Object value) {
    samples.put(type, value);
  }

  private void call(Class<?> type, Object object, String... names) {
    for (Method method : type.getMethods()) {
      if (names.length == 0 || List.of(names).contains(method.getName())) {
        call(method, object);
      }
    }
  }

  private void call(Method method, Object object) {
    Class<?>[] types = method.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      if (!types[i].isPrimitive() && !types[i].equals(CompletionHandler.class)) {
        Object[] arguments = Arrays.stream(types).map(samples::get).toArray();
        arguments[i] = null;
        String said = call(method, object, arguments);
        if (!said.matches(WHICH)) {
          wrong.add("%s, argument %d: %s".formatted(method, i + 1, said));
        }
      }
    }
  }

  private static String call(Method method, Object object, Object[] arguments) {
    try {
      method.invoke(object, arguments);
      return "nothing";
    } catch (InvocationTargetException e) {
      Throwable thrown = e.getCause();
      return thrown instanceof NullPointerException ? thrown.getMessage() : thrown.toString();
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyCallOfTheControlPathNamesTheArgumentThatIsNull() {
    sample(int.class, 1);
    sample(long.class, 64L);
    sample(String.class, "name");
    sample(Duration.class, Duration.ZERO);
    sample(MemorySegment.class, Arena.ofAuto().allocate(64));
    sample(Access[].class, new Access[0]);
    sample(CompletionQueue.class, completions);
    sample(CompletionQueueOptions.class, CompletionQueueOptions.DEFAULT);
    sample(XrcDomain.class, device.allocateXrcDomain());
    sample(SharedReceiveQueue.class, domain.sharedReceiveQueue().create());
    sample(QueuePairEndpoint.class, queuePair.endpoint());
    sample(ConnectOptions.class, ConnectOptions.DEFAULT);
    call(Device.class, device);
    call(ProtectionDomain.class, domain);
    call(CompletionQueue.class, completions);
    call(CompletionChannel.class, device.openCompletionChannel());
    call(RcQueuePairBuilder.class, domain.rcQueuePair(completions));
    call(UdQueuePairBuilder.class, domain.udQueuePair(completions));
    call(RcQueuePair.class, queuePair, "connect", "modifyAccess");
    assertThat(wrong).isEmpty();
  }
}
