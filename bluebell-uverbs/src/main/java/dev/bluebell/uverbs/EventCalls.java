package dev.bluebell.uverbs;

import dev.bluebell.uverbs.abi.AbiView;
import dev.bluebell.uverbs.abi.ioctl.AsyncEventAllocAttrs;
import dev.bluebell.uverbs.abi.structure.CreateCompChannelResp;
import java.io.IOException;

/** The calls that open files for events. */
final class EventCalls {
  private EventCalls() {}

  static void openAsync(Session session, IoctlCall call) throws IOException {
    call.putHandle(AsyncEventAllocAttrs.FD_HANDLE, EventFile.openAsync(session).fd());
  }

  static void openChannel(Session session, WriteCall call) throws IOException {
    call.reply(
        AbiView.of(CreateCompChannelResp.STRUCTURE)
            .set(CreateCompChannelResp.FD, EventFile.openCompletions(session).fd()));
  }
}
