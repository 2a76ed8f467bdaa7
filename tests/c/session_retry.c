// np: 1 2 4
/* A beginning that fails leaves nothing behind and may be tried again; so for the world model. */
#include "session.h"

int main(int argc, char **argv)
{
    struct holdings before = {0};
    MPI_Session session;
    for (int round = 0; round < 30; round++) {
        if (round == 3)
            before = count_holdings();
        setenv("OXMPI_MCA_btl_tcp_links", "many", 1);
        setenv("OMPI_MCA_btl", "no_such_transport", 1);
        session = MPI_SESSION_NULL;
        CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS);
        CHECK(session == MPI_SESSION_NULL);
        unsetenv("OMPI_MCA_btl");
        unsetenv("OXMPI_MCA_btl_tcp_links");
        session = begin(NULL);
        use(session, "mpi://WORLD", "retry");
        OK(MPI_Session_finalize(&session));
    }
    same_holdings(before, count_holdings(), 0, 0);
    start(&argc, &argv);
    work(MPI_COMM_WORLD);
    OK(MPI_Finalize());
    return 0;
}
