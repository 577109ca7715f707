package dev.bluebell.uverbs.event;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.EventAbi.AsyncEventAllocAttrs;
import dev.bluebell.hca.uverbs.EventAbi.CreateCompChannelResp;
import dev.bluebell.uverbs.call.IoctlCall;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;

/** The calls that open files for events. */
public final class EventCalls {
  private EventCalls() {}

  public static void openAsync(Session session, IoctlCall call) throws IOException {
    call.putHandle(AsyncEventAllocAttrs.FD_HANDLE, EventFile.openAsync(session).fd());
  }

  public static void openChannel(Session session, WriteCall call) throws IOException {
    call.reply(
        View.of(CreateCompChannelResp.STRUCTURE)
            .set(CreateCompChannelResp.FD, EventFile.openCompletions(session).fd()));
  }
}
