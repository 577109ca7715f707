/** What work costs in virtual time, and who is busy with it until when. */
@NullMarked
package dev.bluebell.softnic.timing;

import org.jspecify.annotations.NullMarked;
