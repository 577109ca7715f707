package dev.bluebell.uverbs.cm;

import dev.bluebell.server.WatchedProcess;
import dev.bluebell.uverbs.call.ClientMemory;

/**
 * The context in which commands of an open file execute.
 *
 * @param files of all clients
 * @param process the client
 * @param memory of the client
 */
record CmSession(CmFile file, CmFiles files, WatchedProcess process, ClientMemory memory) {}
