package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.server.Account;
import org.jspecify.annotations.Nullable;

/**
 * An event that a client has not read.
 *
 * @param id whose event it is
 * @param request the id that it brings; null unless it is a request
 * @param group whose event it is; null for most
 * @param response {@link dev.bluebell.hca.uverbs.CmAbi.EventResp}
 * @param room what it takes of the client's share
 */
record CmEvent(
    CmId id, @Nullable CmId request, @Nullable CmGroup group, View response, Account.Hold room) {}
