package dev.bluebell.uverbs.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.uverbs.call.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The objects of a context. */
class HandlesTest {
  private final List<String> destroyed = new ArrayList<>();

  // One client may hold half of the quota.
  private final Account account = Quotas.of(Map.of(Quota.OBJECTS, (2L << 20) + 512)).open(1);

  private final class Thing implements Handles.Held {
    private final String name;
    private final int rank;

    Thing(String name, int rank) {
      this.name = name;
      this.rank = rank;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public void destroy(boolean alive) throws IOException {
      if (name.equals("busy")) {
        throw new IOException("busy");
      }
      if (name.equals("broken")) {
        throw new InternalError("broken");
      }
      destroyed.add(name);
    }
  }

  @Test
  @Tag("slow")
  void anObjectThatIsOneTooManyIsDestroyed() throws IOException {
    Handles handles = new Handles(account);
    int positive = 0;
    for (int i = 0; i < 1 << 20; i++) {
      positive += handles.add(new Thing("kept", 0)) > 0 ? 1 : 0;
    }
    assertThat(positive).isEqualTo(1 << 20);
    assertThatThrownBy(() -> handles.add(new Thing("one too many", 0)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("1048576 objects");
    assertThat(destroyed).containsExactly("one too many");
  }

  @Test
  void objectsThatCannotBeDestroyedAreReportedAndTheRestIsDestroyed() throws IOException {
    Handles handles = new Handles(account);
    assertThat(handles.add(new Thing("busy", 0))).isEqualTo(1);
    assertThat(handles.add(new Thing("broken", 1))).isEqualTo(2);
    assertThat(handles.add(new Thing("domain", 5))).isEqualTo(3);
    List<String> failures = new ArrayList<>();
    assertThat(handles.destroyAll((object, why) -> failures.add(why.getMessage()))).isFalse();
    assertThat(failures).containsExactly("busy", "broken");
    assertThat(destroyed).containsExactly("domain");
  }

  @Test
  void objectsAreDestroyedBeforeThoseThatTheyUse() throws IOException {
    Handles handles = new Handles(account);
    assertThat(handles.add(new Thing("domain", 5))).isEqualTo(1);
    assertThat(handles.add(new Thing("queue pair", 0))).isEqualTo(2);
    assertThat(handles.add(new Thing("completion queue", 2))).isEqualTo(3);
    assertThat(handles.destroyAll((object, why) -> destroyed.add(why.toString()))).isTrue();
    assertThat(destroyed).containsExactly("queue pair", "completion queue", "domain");
  }
}
