/** An open device file: its objects by handle, its pages, its events and its clock. */
@NullMarked
package dev.bluebell.uverbs.session;

import org.jspecify.annotations.NullMarked;
